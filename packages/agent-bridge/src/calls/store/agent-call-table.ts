import type { AgentErrorKind } from "@crosszone/contracts";
import type { MigrationStep } from "@crosszone/sql";
import { sql } from "kysely";
import type { CallState } from "../agent-call.ts";

/** Tasks that agents were given over the bus, with their leases. Times are Unix milliseconds, by the database's clock. */
export interface AgentCallTable {
  /** Digest of run and task: either may be any text. */
  id: string;
  /** By what calls of one agent are found; its name, as a column takes it. */
  agent: string;
  state: CallState;
  attempt: number;
  /** The process that has it, or ended it. Nobody's when it is new, was canceled or handed back. */
  owner: string | null;
  /** Until then nobody else takes it. */
  lease_until: number;
  created_at: number;
  deadline_at: number;
  finished_at: number | null;
  /** Digest of the team that it belongs to. */
  team: string | null;
  /** How often the agent was called; null until the call has ended, and in rows of earlier versions. */
  agent_attempts: number | null;
  /** Why the agent gave no answer. Readable without the key that unseals the output. */
  error_kind: AgentErrorKind | null;
  /** What never changes, JSON: the task without its input, and the headers of its message. */
  record: string;
  /** `input_data`, JSON, may be sealed, until the call has ended. */
  input: string | null;
  /** The agent's own name of the task, JSON, may be sealed, until the call has ended. */
  remote_id: string | null;
  /** The `AgentResult`, JSON, may be sealed. */
  output: string | null;
  /** The task's `files`, JSON, may be sealed, until the call has ended. */
  files: string | null;
  /** What the agent says it is doing, JSON, may be sealed, until the call has ended. */
  progress: string | null;
}

/** The table of the bridge, for the type of a zone's database. */
export interface AgentCallTables {
  agent_call: AgentCallTable;
}

/** Makes the table `agent_call` on either engine, and takes it away. */
export const agentCallsStep: MigrationStep = {
  up: async (db, engine) => {
    await db.schema
      .createTable("agent_call")
      .addColumn("id", "text", (column) => column.primaryKey())
      .addColumn("agent", "text", (column) => column.notNull())
      .addColumn("state", "text", (column) => column.notNull())
      .addColumn("attempt", "integer", (column) => column.notNull())
      .addColumn("owner", "text")
      .addColumn("lease_until", "bigint", (column) => column.notNull())
      .addColumn("created_at", "bigint", (column) => column.notNull())
      .addColumn("deadline_at", "bigint", (column) => column.notNull())
      .addColumn("finished_at", "bigint")
      .addColumn("team", "text")
      .addColumn("record", "text", (column) => column.notNull())
      .addColumn("input", "text")
      .addColumn("remote_id", "text")
      .addColumn("output", "text")
      .execute();
    // PostgreSQL would try to shrink text of more than 2 KB, work that a row which lives for a day does not repay.
    if (engine === "postgres")
      for (const column of ["record", "input", "output"])
        await sql`alter table agent_call alter column ${sql.id(column)} set storage external`.execute(db);
    await sql`create index agent_call_open on agent_call (agent, lease_until, created_at) where finished_at is null`.execute(
      db,
    );
    await sql`create index agent_call_finished on agent_call (finished_at) where finished_at is not null`.execute(db);
    await sql`create index agent_call_by_team on agent_call (team) where team is not null`.execute(db);
  },
  down: async (db) => {
    await db.schema.dropTable("agent_call").execute();
  },
};

/** Adds the columns for the files of a task and for its progress, and removes them. */
export const agentCallFilesStep: MigrationStep = {
  up: async (db, engine) => {
    await db.schema.alterTable("agent_call").addColumn("files", "text").execute();
    await db.schema.alterTable("agent_call").addColumn("progress", "text").execute();
    if (engine === "postgres") await sql`alter table agent_call alter column files set storage external`.execute(db);
  },
  down: async (db) => {
    await db.schema.alterTable("agent_call").dropColumn("progress").execute();
    await db.schema.alterTable("agent_call").dropColumn("files").execute();
  },
};

/** Adds and drops the columns for how a call ended. */
export const agentCallEndsStep: MigrationStep = {
  up: async (db) => {
    await db.schema.alterTable("agent_call").addColumn("agent_attempts", "integer").execute();
    await db.schema.alterTable("agent_call").addColumn("error_kind", "text").execute();
  },
  down: async (db) => {
    await db.schema.alterTable("agent_call").dropColumn("error_kind").execute();
    await db.schema.alterTable("agent_call").dropColumn("agent_attempts").execute();
  },
};
