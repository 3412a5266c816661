import type { RequestListener } from "node:http";
import type { Dispatch } from "@crosszone/jsonrpc";
import type { BadRequest, BadRequestAnswer, Emit, Health, Purge } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { RequestHandler } from "express";
import type { ZoneAgents } from "./agents/agent-directory.ts";
import type { FileLinks } from "./files/file-links.ts";
import type { HostProfile } from "./http/host-profile.ts";
import type { Authenticator } from "./http/auth/authenticator.ts";
import type { Telemetry } from "./observers/telemetry.ts";
import type { RequestContext } from "./methods/request-context.ts";
import type { ZoneReadings } from "./methods/zone-handlers.ts";
import type { GrantFiles } from "./tasks/grant-files.ts";
import type { TaskRunnerDeps } from "./tasks/task-runner.ts";
import type { TaskStore } from "./tasks/sql/task-store.ts";

/** External dependencies of the execution zone. Times are in milliseconds, sizes in bytes. */
export interface ExecutionDeps extends Telemetry {
  /** Logs and measures the zone's events. */
  emit: Emit<ExecutionEvent>;
  agents: ZoneAgents;
  store: TaskStore;
  jobs: TaskRunnerDeps["jobs"];
  /** Purges in addition to that of old tasks. */
  purges?: readonly Purge[];
  /** Served at `/api/v1`. */
  api?: RequestHandler;
  /** Reads a person's use of language models. When absent, the use is zero. */
  usageOf?: ZoneReadings["usageOf"];
  authenticator: Authenticator;
  grantFiles: GrantFiles;
  /** Opens the files of links for agents. When absent, no link is served. */
  fileLinks?: FileLinks;
  /** For the agent card: the version of the zone, `0.0.0` when absent, and its URL, the one of the request when absent. */
  card?: { readonly version?: string; readonly url?: string | undefined };
  /** The host's profile; `plain` when absent. */
  profile?: HostProfile;
  now: () => Date;
  health: Health;
  /** When absent, nothing is traced. */
  tracer?: Tracer;
  limits: {
    maxBytes: number;
    /** Deepest nesting of arrays and objects in a message. */
    maxDepth: number;
    maxRunning: number;
    /** The most runs of a task when processes crash; 2 when absent. */
    mostAttempts?: number;
    syncWindowMs: number;
    maxWaitMs: number;
    taskDeadlineMs: number;
    /** Average time between two purges, milliseconds; ten minutes when absent. */
    retentionEveryMs?: number;
    /** The most requests of one caller per minute; unlimited when 0 or absent. */
    requestsPerMinute?: number;
    /** How many of them may arrive at once. */
    requestBurst?: number;
  };
}

export interface ExecutionApp {
  /** The HTTP surface, for a server. */
  listener: RequestListener;
  /** Returns the answer to something that never became a request. */
  badRequest: (error: BadRequest) => BadRequestAnswer;
  /** The same methods without HTTP, for use within one process. */
  dispatch: Dispatch<RequestContext>;
  /** Starts to maintain tasks: those running here, those of crashed processes, and old ones. */
  start(): void;
  /** Accepts no more tasks, lets running tasks end within `graceMs` milliseconds, and releases the others. */
  stop(graceMs: number): Promise<void>;
}
