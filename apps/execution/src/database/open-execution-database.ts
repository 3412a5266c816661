import { hash } from "node:crypto";
import type { AgentTables } from "@crosszone/agent-bridge";
import type { ExecutionJobTables } from "@crosszone/agent-calls";
import type { DeadLetterTables } from "@crosszone/kafka-gateway";
import { type Database, openDatabase, type OpenOptions } from "@crosszone/sql";
import type { WorkflowTables } from "@crosszone/workflow";
import type { AgentConversationTables, ThreadSummaryTables, FileLinkTables, McpTables } from "./conversation-tables.ts";
import { executionMigrations } from "./migrations.ts";
import type { UsageTables } from "./usage-table.ts";

/** The tables of the execution zone. Each is described next to the store that reads it, including those of packages. */
export interface ExecutionTables
  extends
    DeadLetterTables,
    AgentTables,
    AgentConversationTables,
    ExecutionJobTables,
    FileLinkTables,
    ThreadSummaryTables,
    McpTables,
    UsageTables,
    WorkflowTables {}

export type ExecutionDatabase = Database<ExecutionTables>;

/** Opens the zone's database and migrates its tables. */
export function openExecutionDatabase(options: Omit<OpenOptions, "migrations" | "schema">): Promise<ExecutionDatabase> {
  return openDatabase<ExecutionTables>({ ...options, schema: "execution", migrations: executionMigrations });
}

/** Returns the digest by which a team's data is found. Callers may send any text as team id. */
export const teamKey = (teamId: string): string => hash("sha256", teamId, "base64url");
