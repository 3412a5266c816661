import { tablesStep } from "@crosszone/sql";
import { sql } from "kysely";

/**
 * One call of a language model: reserved before it starts, with its actual use after it ends. Times are Unix milliseconds, by the
 * database's clock.
 */
export interface ModelCallTable {
  id: string;
  at: number;
  task_id: string;
  /** Digest of the requester's team. */
  team: string | null;
  /** Slack ids, as the caller sent them. */
  person: string | null;
  channel: string | null;
  agent: string;
  /** `provider/id`. */
  model: string;
  input_tokens: number;
  output_tokens: number;
  cached_tokens: number;
  /** Millionths of a US dollar; null when the model has no known price. */
  cost: number | null;
  /** 1 until the provider's count is known. */
  estimated: number;
}

/** The used amount of a budget's period, including reserved calls. */
export interface BudgetUseTable {
  scope: string;
  /** The subject: a digest of team and person or channel, of the team, or the agent's name. */
  subject: string;
  /** Slack id of the person or channel, as the caller sent it. Null for teams and agents. */
  subject_id: string | null;
  /** `2026-11-21` or `2026-11`. */
  period: string;
  unit: string;
  team: string | null;
  used: number;
  /** 1 once a person got the note that the budget is nearly used. */
  noted: number;
}

export interface UsageTables {
  model_call: ModelCallTable;
  budget_use: BudgetUseTable;
}

/** Creates and drops the tables `model_call` and `budget_use`. */
export const usageStep = tablesStep(["model_call", "budget_use"], async (db) => {
  await db.schema
    .createTable("model_call")
    .addColumn("id", "text", (column) => column.primaryKey())
    .addColumn("at", "bigint", (column) => column.notNull())
    .addColumn("task_id", "text", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("person", "text")
    .addColumn("channel", "text")
    .addColumn("agent", "text", (column) => column.notNull())
    .addColumn("model", "text", (column) => column.notNull())
    .addColumn("input_tokens", "bigint", (column) => column.notNull())
    .addColumn("output_tokens", "bigint", (column) => column.notNull())
    .addColumn("cached_tokens", "bigint", (column) => column.notNull())
    .addColumn("cost", "bigint")
    .addColumn("estimated", "integer", (column) => column.notNull())
    .execute();
  await db.schema.createIndex("model_call_by_time").on("model_call").column("at").execute();
  await sql`create index model_call_by_team on model_call (team) where team is not null`.execute(db);
  await db.schema
    .createTable("budget_use")
    .addColumn("scope", "text", (column) => column.notNull())
    .addColumn("subject", "text", (column) => column.notNull())
    .addColumn("period", "text", (column) => column.notNull())
    .addColumn("unit", "text", (column) => column.notNull())
    .addColumn("team", "text")
    .addColumn("used", "bigint", (column) => column.notNull())
    .addColumn("noted", "integer", (column) => column.notNull())
    .addColumn("subject_id", "text")
    .addPrimaryKeyConstraint("budget_use_key", ["scope", "subject", "period", "unit"])
    .execute();
  await sql`create index budget_use_by_team on budget_use (team) where team is not null`.execute(db);
  await db.schema.createIndex("budget_use_by_period").on("budget_use").columns(["period", "scope", "unit"]).execute();
  await sql`create index model_call_by_person on model_call (person, at) where person is not null`.execute(db);
});
