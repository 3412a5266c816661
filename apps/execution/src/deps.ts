import type { ApiTokens } from "@crosszone/admin-api";
import type { AskService } from "./ask/ask-service.ts";
import type { RequestListener } from "node:http";
import type { Dispatch } from "@crosszone/jsonrpc";
import type { BadRequest, BadRequestAnswer, Emit, Health, Logger, Metrics, Purge } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { RequestHandler } from "express";
import type { ZoneAgents } from "./agents/agent-directory.ts";
import type { FileLinks } from "./files/file-links.ts";
import type { HostProfile } from "./http/host-profile.ts";
import type { Inputs } from "./roles/open-inputs.ts";
import type { Authenticator } from "./http/auth/authenticator.ts";
import type { ZoneJobs } from "./database/open-execution-database.ts";
import type { RequestContext } from "./methods/request-context.ts";
import type { TaskLimits, UsageOf } from "./methods/zone-parts.ts";
import type { GrantFiles } from "./tasks/run-agent.ts";
import type { CheckToken } from "./tokens/check-token.ts";
import type { TaskStore } from "./tasks/sql/task-store.ts";

/** The most that the zone does. Times are in milliseconds, sizes in bytes. */
export interface ExecutionLimits extends TaskLimits {
  readonly maxBytes: number;
  /** Deepest nesting of arrays and objects in a message. */
  readonly maxDepth: number;
  readonly maxRunning: number;
  /** The most runs of a task when processes crash; 2 when absent. */
  readonly mostAttempts?: number;
  /** Average time between two purges; ten minutes when absent. */
  readonly retentionEveryMs?: number;
  /** The most requests of one caller per minute; unlimited when 0 or absent. */
  readonly requestsPerMinute?: number;
  /** How many of them may arrive at once. */
  readonly requestBurst?: number;
}

/** What a process without JSON-RPC needs: it serves health, metrics and the admin API, and purges old data. */
export interface OperationsDeps {
  logger: Logger<ExecutionEvent>;
  metrics: Metrics;
  /** Logs and measures the zone's events. */
  emit: Emit<ExecutionEvent>;
  health: Health;
  /** Purges in addition to that of old tasks. */
  purges?: readonly Purge[];
  /** Served at `/api/v1`. */
  api?: RequestHandler;
}

/** External dependencies of the execution zone. */
export interface ExecutionDeps extends OperationsDeps {
  agents: ZoneAgents;
  store: TaskStore;
  inputs: Pick<Inputs, "requests" | "approvalFor">;
  jobs: ZoneJobs;
  /** Reads a person's use of language models. When absent, the use is zero. */
  usageOf?: UsageOf;
  /** Checks tokens of the API. When absent, no token is valid. */
  checkToken?: CheckToken;
  /** Receives each request of an authenticated caller. */
  onUse?: ApiTokens["onUse"];
  authenticator: Authenticator;
  grantFiles: GrantFiles;
  /** Opens the files of links for agents. When absent, no link is served. */
  fileLinks?: FileLinks;
  /** For the agent card: the version of the zone, `0.0.0` when absent, and its URL, the one of the request when absent. */
  card?: { readonly version?: string; readonly url?: string | undefined };
  /** The host's profile; `plain` when absent. */
  profile?: HostProfile;
  now: () => Date;
  /** When absent, nothing is traced. */
  tracer?: Tracer;
  limits: ExecutionLimits;
}

/** The app of a process. */
export interface OperationsApp {
  /** The HTTP surface, for a server. */
  listener: RequestListener;
  /** Returns the answer to something that never became a request. */
  badRequest: (error: BadRequest) => BadRequestAnswer;
  /** Starts to maintain tasks: those running here, those of crashed processes, and old ones. */
  start(): void;
  /** Accepts no more tasks, lets running tasks end within `graceMs` milliseconds, and releases the others. */
  stop(graceMs: number): Promise<void>;
}

/** The app of a process that serves JSON-RPC. */
export interface ExecutionApp extends OperationsApp {
  /** What programs can do with tasks. */
  ask: AskService;
  /** The same methods without HTTP, for use within one process. */
  dispatch: Dispatch<RequestContext>;
}
