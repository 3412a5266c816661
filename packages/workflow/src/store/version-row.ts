import type { WorkflowDefinition, WorkflowList, WorkflowRecord, WorkflowSummary } from "@crosszone/contracts";
import { type Expression, type Kysely, type RawBuilder, type Selectable, sql } from "kysely";
import { columnText, type Database, now, storedBytes, withinPageBytes } from "@crosszone/sql";
import { isoTime } from "@crosszone/service-kit/text";
import type { WorkflowTable, WorkflowTables } from "./workflow-tables.ts";

export type VersionRow = Selectable<WorkflowTable>;

/** A part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

export function recordOf({ workflow_id, version, created_at, definition }: VersionRow): WorkflowRecord {
  return {
    workflow_id,
    version,
    created_at: isoTime(created_at),
    definition: JSON.parse(definition) as WorkflowDefinition,
  };
}

/** The columns of a list. */
const listed = ["workflow_id", "version", "created_at", "summary"] as const;

function summaryOf({ summary, created_at, ...ids }: Pick<VersionRow, (typeof listed)[number]>): WorkflowSummary {
  const { name, description, input_schema } = JSON.parse(summary) as WorkflowDefinition;
  return { ...ids, name, description, input_schema, created_at: isoTime(created_at) };
}

/** Returns a version of a workflow, or its latest one; undefined if it does not exist. */
export async function findVersion(
  db: Kysely<WorkflowTables>,
  workflowId: string,
  version?: string,
): Promise<VersionRow | undefined> {
  let query = db.selectFrom("workflow").selectAll().where("workflow_id", "=", workflowId);
  if (version !== undefined) query = query.where("version", "=", version);
  return query.orderBy("number", "desc").limit(1).executeTakeFirst();
}

/** Returns the latest version of each workflow, by id in the order of code points. */
export async function listLatest(
  { db, engine }: Pick<Database<WorkflowTables>, "db" | "engine">,
  { limit, offset }: Page,
): Promise<WorkflowList> {
  // The locale of PostgreSQL has another order.
  const byId = engine === "sqlite" ? sql`workflow_id` : sql`workflow_id collate "C"`;
  const latest = db.selectFrom("workflow").where("number", "=", (eb) =>
    eb
      .selectFrom("workflow as other")
      .whereRef("other.workflow_id", "=", "workflow.workflow_id")
      .select(({ fn }) => fn.max("other.number").as("number")),
  );
  const page = latest.select(["workflow_id", "number", size]).orderBy(byId).limit(limit).offset(offset);
  const rows = await db.selectFrom("workflow").select(listed).where(within(page)).orderBy(byId).execute();
  const { total } = await latest.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { workflows: rows.map(summaryOf), total, limit, offset };
}

/** Returns the versions of one workflow, newest first. */
export async function listVersionsOf(
  db: Kysely<WorkflowTables>,
  workflowId: string,
  { limit, offset }: Page,
): Promise<WorkflowList> {
  const own = db.selectFrom("workflow").where("workflow_id", "=", workflowId);
  const page = own.select(["workflow_id", "number", size]).orderBy("number", "desc").limit(limit).offset(offset);
  const rows = await own.select(listed).where(within(page)).orderBy("number", "desc").execute();
  const { total } = await own.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { workflows: rows.map(summaryOf), total, limit, offset };
}

const size = storedBytes("summary").as("bytes");

const within = (page: Expression<unknown>): RawBuilder<boolean> =>
  withinPageBytes("workflow", ["workflow_id", "number"], page);

/** Adds a version with the next number. Returns false if the version, or its number, exists. */
export async function insertVersion(
  { db, engine }: Pick<Database<WorkflowTables>, "db" | "engine">,
  definition: WorkflowDefinition,
): Promise<boolean> {
  const { workflow_id, version, name, description, input_schema } = definition;
  const { numAffectedRows = 0n } = await sql`
    insert into workflow (workflow_id, version, number, name, created_at, definition, summary)
    select ${workflow_id}, ${version}, coalesce(max(number), 0) + 1, ${columnText(name)}, ${now(engine)},
      ${JSON.stringify(definition)}, ${JSON.stringify({ name, description, input_schema })}
    from workflow where workflow_id = ${workflow_id}
    on conflict do nothing`.execute(db);
  return numAffectedRows > 0n;
}
