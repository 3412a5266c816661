import type { RequestListener } from "node:http";
import type { Health, Metrics } from "@crosszone/service-kit";
import type { AccessPolicy } from "../policy/access-policy.ts";
import type { InstalledWorkspaces, Workspaces } from "../workspaces/workspaces.ts";
import type { Handles } from "../zone-link/handles/handles.ts";
import type { EdgeObserver } from "./edge-observer.ts";
import { createFileRoute, type FileRouteDeps } from "./files/file-route.ts";
import { createListener } from "./http/create-listener.ts";
import { createSlackRoute } from "./http/slack-route.ts";
import { createInstaller, type InstallerOptions } from "./install/create-installer.ts";
import { installPath, redirectPath } from "./install/install-paths.ts";
import { slackPath } from "./slack-connection.ts";

export interface HttpSurfaceDeps {
  readonly health: Health;
  readonly metrics: Metrics;
  readonly observer: EdgeObserver;
  readonly workspaces: Pick<Workspaces, "linkOf">;
  readonly handles: Handles;
  readonly limits: {
    /** Maximum size of a request body from Slack. */
    readonly maxBytes: number;
    /** Maximum nesting of arrays and objects in a request body. */
    readonly maxDepth: number;
    readonly files: FileRouteDeps["limits"] & FileRouteDeps["rules"];
  };
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Makes UUIDs. */
  readonly newId: () => string;
  /** The install flow; absent with a single workspace. */
  readonly installing?: InstallerOptions & Pick<InstalledWorkspaces, "installations">;
  readonly policy: () => AccessPolicy;
  /** Bolt's own listener; undefined until Slack has identified this app. Absent with Socket Mode. */
  readonly bolt?: () => RequestListener | undefined;
}

/** Makes the zone's HTTP listener: Slack's events (unless they come over a socket), files of tasks, and operator endpoints. */
export function createHttpSurface(deps: HttpSurfaceDeps): RequestListener {
  const { health, metrics, observer, workspaces, handles, limits, now, newId, installing, policy, bolt } = deps;
  const files = createFileRoute({
    handles,
    linkOf: workspaces.linkOf,
    rules: limits.files,
    limits: limits.files,
    onEnd: observer.fileEnded,
  });
  const { requestRefused: onRefused, requestAnswered: onAnswered } = observer;
  const events = bolt && createSlackRoute({ ...limits, now, bolt, onRefused, onAnswered });
  const installer =
    installing &&
    createInstaller(installing, {
      installations: installing.installations,
      policy,
      newId,
      now,
      onEnded: observer.installEnded,
    });
  return createListener({
    health,
    metrics,
    onUnexpected: observer.httpFailed,
    files: (request, response) => observer.traceFile(request, response, () => files(request, response)),
    ...(events && { slack: { path: slackPath, route: events } }),
    ...(installer && {
      install: { path: installPath, route: installer.install },
      redirect: { path: redirectPath, route: installer.redirect },
    }),
  });
}
