import type { RequestListener } from "node:http";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationDeps } from "../deps.ts";
import { createFileRoute } from "./files/file-route.ts";
import type { Handles } from "../zone-link/handles/handles.ts";
import { createListener } from "./http/create-listener.ts";
import { createSlackRoute } from "./http/slack-route.ts";
import type { EdgeObserver } from "../ops/observers/observe-edge.ts";
import { observeFiles } from "../ops/observers/observe-files.ts";
import { traceFileRequest } from "../ops/observers/trace-file-request.ts";
import { slackPath } from "./slack-edge.ts";
import type { Desks } from "../workspaces/workspaces.ts";
import { createInstaller } from "./install/create-installer.ts";
import { installPath, redirectPath } from "./install/install-paths.ts";
import type { InstallObserver } from "../ops/observers/observe-installs.ts";

export interface SurfaceParts {
  readonly desks: Pick<Desks, "linkOf">;
  readonly installs: InstallObserver;
  readonly handles: Handles;
  readonly seen: EdgeObserver;
  readonly tracer: Tracer;
  /** Bolt's own listener; undefined until Slack has identified this app. */
  readonly bolt: () => RequestListener | undefined;
}

/** Makes the zone's HTTP listener: Slack's events (unless they come over a socket), files of tasks, and operator endpoints. */
export function createHttpSurface(deps: VerificationDeps, parts: SurfaceParts): RequestListener {
  const { health, metrics, clock, logger, limits, workspaces, policy, newId } = deps;
  const { desks, installs, handles, seen, tracer, bolt } = parts;
  const files = createFileRoute({
    handles,
    linkOf: desks.linkOf,
    rules: limits.files,
    limits: limits.files,
    onEnd: observeFiles({ logger, registry: metrics.registry, tracer }),
  });
  const events = createSlackRoute({
    maxBytes: limits.maxBytes,
    maxDepth: limits.maxDepth,
    now: clock.now,
    bolt,
    onRefused: seen.requestRefused,
    onAnswered: seen.requestAnswered,
  });
  const installer =
    workspaces.mode === "installed" &&
    createInstaller(workspaces.installing, {
      installations: workspaces.installations,
      policy: policy.current,
      newId,
      now: clock.now,
      onEnded: installs.ended,
    });
  return createListener({
    health,
    metrics,
    onUnexpected: seen.httpFailed,
    files: traceFileRequest(tracer, files),
    ...(deps.intake.mode === "http" && { slack: { path: slackPath, route: events } }),
    ...(installer && {
      install: { path: installPath, route: installer.install },
      redirect: { path: redirectPath, route: installer.redirect },
    }),
  });
}
