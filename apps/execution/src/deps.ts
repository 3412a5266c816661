import type { Health, Logger, Metrics, Purge } from "@crosszone/service-kit";
import type { Tracer } from "@crosszone/service-kit/tracing";
import type { RequestHandler } from "express";
import type { Agent } from "./agents/agent.ts";
import type { RegisteredAgents } from "./agents/agent-directory.ts";
import type { FileLinks } from "./files/links/file-links.ts";
import type { HostProfile } from "./host/host-profile.ts";
import type { Authenticator } from "./http/auth/authenticator.ts";
import type { ExecutionEvent } from "./log-events.ts";
import type { ZoneReadings } from "./methods/zone-handlers.ts";
import type { LendFiles } from "./tasks/lend-files.ts";
import type { TaskStore } from "./tasks/task-store.ts";

/** All that the execution zone needs of the outside. Times are in milliseconds, sizes in bytes. */
export interface ExecutionDeps {
  agents: {
    all: readonly Agent[];
    default: string;
    /** Those that come and go while the zone runs, asked in this order; none when absent. */
    registered?: readonly RegisteredAgents[];
  };
  store: TaskStore;
  /** What is forgotten beside old tasks. */
  purges?: readonly Purge[];
  /** Served at `/api/v1`. */
  api?: RequestHandler | undefined;
  /** Reads a person's use of language models. When absent, the use is zero. */
  usageOf?: ZoneReadings["usageOf"] | undefined;
  authenticator: Authenticator;
  lendFiles: LendFiles;
  /** Opens the files of links for agents. When absent, no link is served. */
  fileLinks?: FileLinks | undefined;
  /** For the agent card: the version of the zone, `0.0.0` when absent, and its URL, the one of the request when absent. */
  card?: { readonly version?: string; readonly url?: string | undefined };
  /** What the zone runs on; `plain` when absent. */
  profile?: HostProfile;
  now: () => Date;
  logger: Logger<ExecutionEvent>;
  metrics: Metrics;
  health: Health;
  /** Nothing is traced when absent. */
  tracer?: Tracer;
  limits: {
    maxBytes: number;
    /** Levels of arrays and objects in a message. */
    maxDepth: number;
    maxRunning: number;
    /** How often a task is run at most, when processes die; 2 when absent. */
    mostAttempts?: number;
    syncWindowMs: number;
    maxWaitMs: number;
    taskDeadlineMs: number;
    /** Between two rounds of forgetting tasks that were kept long enough, on average; ten minutes when absent. */
    retentionEveryMs?: number;
    /** Requests of one caller; 0 or absent: as many as it likes. */
    requestsPerMinute?: number;
    /** How many of them may come at once. */
    requestBurst?: number;
  };
}
