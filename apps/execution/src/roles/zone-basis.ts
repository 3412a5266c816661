import type { Health, Logger, Metrics, Vault } from "@crosszone/service-kit";
import type { ExecutionConfig } from "../config.ts";
import type { ExecutionDatabase } from "../database/open-execution-database.ts";
import type { ExecutionEvent } from "../log-events.ts";

/** What every role of a process is created from. */
export interface ZoneBasis {
  readonly config: ExecutionConfig;
  readonly database: ExecutionDatabase;
  readonly vault: Vault | undefined;
  readonly logger: Logger<ExecutionEvent>;
  readonly metrics: Metrics;
  readonly health: Health;
}
