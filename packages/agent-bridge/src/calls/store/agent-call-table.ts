import type { AgentErrorKind } from "@crosszone/contracts";
import type { MigrationStep } from "@crosszone/sql";
import { sql } from "kysely";
import type { CallState } from "../agent-call.ts";

/** Tasks given to agents over the bus, with their leases. Times are Unix milliseconds, by the database's clock. */
export interface AgentCallTable {
  /** Digest of run and task, because either can be any text. */
  id: string;
  /** The agent's name in the form that a column accepts, for finding its calls. */
  agent: string;
  state: CallState;
  attempt: number;
  /** The process that runs or ended it. Null when new, canceled or released. */
  owner: string | null;
  /** Until then no other process takes it. */
  lease_until: number;
  created_at: number;
  deadline_at: number;
  finished_at: number | null;
  /** Digest of its team. */
  team: string | null;
  /** How often the agent was called; null until the call has ended, and in rows of earlier versions. */
  agent_attempts: number | null;
  /** Why the agent gave no answer. Readable without the output's key. */
  error_kind: AgentErrorKind | null;
  /** The constant members, as JSON: the task without its input, and its message's headers. */
  record: string;
  /** `input_data` as JSON, sealed if `DATA_KEYS` is set. Deleted when the call ends. */
  input: string | null;
  /** The agent's own id of the task as JSON, sealed if `DATA_KEYS` is set. Deleted when the call ends. */
  remote_id: string | null;
  /** The `AgentResult` as JSON, sealed if `DATA_KEYS` is set. */
  output: string | null;
  /** The task's `files` as JSON, sealed if `DATA_KEYS` is set. Deleted when the call ends. */
  files: string | null;
  /** The agent's progress as JSON, sealed if `DATA_KEYS` is set. Deleted when the call ends. */
  progress: string | null;
  /** The `ChosenWay` on which the call is sent, JSON; null until it is first taken, and in rows of earlier versions. */
  way: string | null;
  /** The canary during which it began, and its side; null without a canary. */
  trial: string | null;
  /** From the last start to the end, milliseconds; null until it has ended at an agent. */
  took_ms: number | null;
}

/** The table of the bridge, for the type of a zone's database. */
export interface AgentCallTables {
  agent_call: AgentCallTable;
}

/** Creates and drops the table `agent_call` on either engine. */
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
    // PostgreSQL would compress text of more than 2 KB, which isn't worth the CPU time for rows that live for a day.
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

/** Adds and drops the columns for a task's files and progress. */
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

/** Adds and drops the columns for how a call is sent, and how long it took. */
export const agentCallWaysStep: MigrationStep = {
  up: async (db) => {
    await db.schema.alterTable("agent_call").addColumn("way", "text").execute();
    await db.schema.alterTable("agent_call").addColumn("trial", "text").execute();
    await db.schema.alterTable("agent_call").addColumn("took_ms", "bigint").execute();
    await sql`create index agent_call_by_trial on agent_call (trial, finished_at) where trial is not null`.execute(db);
  },
  down: async (db) => {
    await db.schema.dropIndex("agent_call_by_trial").execute();
    await db.schema.alterTable("agent_call").dropColumn("took_ms").execute();
    await db.schema.alterTable("agent_call").dropColumn("trial").execute();
    await db.schema.alterTable("agent_call").dropColumn("way").execute();
  },
};
