import type { AgentClient } from "@crosszone/agent-bridge";
import type { Emit, Health, Logger, Metrics, Vault } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ExecutionConfig } from "../config/config.ts";
import type { ExecutionDatabase } from "../database/open-execution-database.ts";
import type { ZoneJobs } from "../database/open-jobs.ts";

/** What every role of a process is created from. */
export interface ZoneBasis {
  readonly config: ExecutionConfig;
  readonly database: ExecutionDatabase;
  readonly jobs: ZoneJobs;
  readonly vault: Vault | undefined;
  readonly logger: Logger<ExecutionEvent>;
  readonly metrics: Metrics;
  readonly emit: Emit<ExecutionEvent>;
  readonly health: Health;
  /** Calls registered agents; over HTTP when absent. */
  readonly agentClient?: AgentClient;
}
