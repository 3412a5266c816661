import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import {
  createOperationalRoutes,
  type Emit,
  type Health,
  type Metrics,
  refusal,
  Refused,
  surface,
} from "@crosszone/service-kit";
import type { Clock } from "@crosszone/service-kit/timing";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Limits } from "../limits.ts";
import type { Handles } from "../link/handles.ts";
import type { PolicySource } from "../policy/rules.ts";
import type { InstallationStore } from "../workspaces/installation-store.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";
import { createTaskFileRoute, type TaskFileRouteDeps, filesPath, reportFile, traceFile } from "./file-route.ts";
import { installPath, redirectPath } from "./install-pages.ts";
import { createInstaller, type InstallerOptions } from "./installer.ts";
import { slackPath } from "./slack-connection.ts";
import { createSlackRoute } from "./slack-route.ts";

type Route = (request: IncomingMessage, response: ServerResponse) => unknown;

/**
 * Makes the zone's HTTP listener: Slack's events (unless they come over a socket), install pages, `/files/<id>`, `/healthz`, `/readyz`,
 * `/metrics`. Other paths get 404 as JSON.
 */
export function createHttpSurface(deps: {
  readonly policy: PolicySource;
  readonly limits: Limits;
  readonly clock: Clock;
  readonly emit: Emit<VerificationEvent>;
  readonly tracer: Tracer;
  readonly health: Health;
  readonly metrics: Metrics;
  readonly linkOf: Workspaces["linkOf"];
  readonly handles: Handles;
  /** The install flow and where it stores installations; absent with a single workspace. */
  readonly installing?: InstallerOptions;
  readonly installations?: InstallationStore;
  /** Bolt's own listener; undefined until Slack has identified this app. Absent with Socket Mode. */
  readonly bolt?: () => RequestListener | undefined;
}): RequestListener {
  const { health, metrics, tracer, emit, linkOf, handles, policy, limits } = deps;
  const { now } = deps.clock;
  const { installing, installations, bolt } = deps;
  const operational = createOperationalRoutes({ health, metrics });
  const onEnd: TaskFileRouteDeps["onEnd"] = (end) => reportFile(emit, end, tracer.current()?.traceparent);
  const files = createTaskFileRoute({ handles, linkOf, policy, limits, onEnd });
  const events = bolt && createSlackRoute({ bolt, limits, now, emit });
  const installer = installing && installations && createInstaller(installing, { installations, policy, now, emit });

  const routeOf = (method: string | undefined, path: string): Route | undefined => {
    if (path === slackPath && events) return events;
    if (path.startsWith(filesPath))
      return (request, response) => traceFile(tracer, { request, response }, () => files(request, response));
    if (path === installPath && installer)
      return method === "GET" || method === "HEAD" ? installer.install : onlyFor("GET, HEAD");
    // Only GET: a HEAD request would use up the code.
    if (path === redirectPath && installer) return method === "GET" ? installer.redirect : onlyFor("GET");
    return method === "GET" ? operational.get(path) : undefined;
  };

  const listener = surface<undefined>({
    auth: () => ({ who: undefined }),
    serve: ({ request, response }) => {
      const [path = ""] = (request.url ?? "").split("?", 1);
      const route = routeOf(request.method, path);
      if (route === undefined) throw new Refused(refusal("not_found", { message: "Not found." }));
      return route(request, response);
    },
    write: ({ status, message }) => ({
      contentType: "application/json",
      body: JSON.stringify({ error: { message: status === 500 ? "An internal error occurred." : message } }),
    }),
    onRefused: ({ cause: failure }, { requestId }) => {
      if (failure !== undefined) emit("http_failed", { failure, http_request_id: requestId });
    },
  });
  return (request, response) => void listener(request, response);
}

/** Refuses a method. */
const onlyFor =
  (allow: string): Route =>
  async () => {
    const message = "This method is not allowed for this path.";
    throw new Refused(refusal("method_not_allowed", { message, headers: { allow } }));
  };
