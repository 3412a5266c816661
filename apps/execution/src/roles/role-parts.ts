import type { Emit, Environment, Health, Metrics, Vault } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { ExecutionConfig } from "../config/config.ts";
import type { ExecutionDatabase, ZoneJobs } from "../database/open-execution-database.ts";

/** What the roles of a process share. Each takes its own part of it. */
export interface RoleParts {
  readonly config: ExecutionConfig;
  /** Contains the secrets of agents and MCP servers, and the variables of MCP programs. */
  readonly environment: Environment;
  readonly database: ExecutionDatabase;
  readonly jobs: ZoneJobs;
  readonly vault?: Vault;
  readonly metrics: Metrics;
  readonly health: Health;
  readonly emit: Emit<ExecutionEvent>;
}
