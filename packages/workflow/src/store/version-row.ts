import type { WorkflowDefinition, WorkflowList, WorkflowRecord, WorkflowSummary } from "@crosszone/contracts";
import { type Kysely, type Selectable, sql } from "kysely";
import { columnText, type Database, now } from "@crosszone/sql";
import { isoTime } from "@crosszone/service-kit/text";
import type { WorkflowTable, WorkflowTables } from "./workflow-tables.ts";

export type VersionRow = Selectable<WorkflowTable>;

/** A part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Returns a version with its definition. */
export function recordOf({ workflow_id, version, created_at, definition }: VersionRow): WorkflowRecord {
  return {
    workflow_id,
    version,
    created_at: isoTime(created_at),
    definition: JSON.parse(definition) as WorkflowDefinition,
  };
}

/** Returns a version for a list. */
function summaryOf(row: VersionRow): WorkflowSummary {
  const { workflow_id, version, created_at, definition } = recordOf(row);
  const { name, description, input_schema } = definition;
  return { workflow_id, version, name, description, input_schema, created_at };
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

/** Returns the latest version of each workflow, by id. */
async function latestVersions(
  db: Kysely<WorkflowTables>,
  ids: readonly string[],
): Promise<ReadonlyMap<string, VersionRow>> {
  if (ids.length === 0) return new Map();
  const rows = await db
    .selectFrom("workflow")
    .selectAll()
    .where("workflow_id", "in", ids)
    .where("number", "=", (eb) =>
      eb
        .selectFrom("workflow as other")
        .whereRef("other.workflow_id", "=", "workflow.workflow_id")
        .select(({ fn }) => fn.max("other.number").as("number")),
    )
    .execute();
  return new Map(rows.map((found) => [found.workflow_id, found]));
}

/** Returns the latest version of each workflow, by id in the order of code points. */
export async function listLatest(db: Kysely<WorkflowTables>, { limit, offset }: Page): Promise<WorkflowList> {
  // Sorted here: engines and locales differ in their order, and the ids are few.
  const all = await db
    .selectFrom("workflow")
    .select(({ fn }) => ["workflow_id", fn.max("number").as("number")])
    .groupBy("workflow_id")
    .execute();
  const page = all.toSorted((a, b) => (a.workflow_id < b.workflow_id ? -1 : 1)).slice(offset, offset + limit);
  const rows = await latestVersions(
    db,
    page.map(({ workflow_id }) => workflow_id),
  );
  const workflows = page.flatMap(({ workflow_id }) => {
    const found = rows.get(workflow_id);
    return found ? [summaryOf(found)] : [];
  });
  return { workflows, total: all.length, limit, offset };
}

/** Returns the versions of one workflow, newest first. */
export async function listVersionsOf(
  db: Kysely<WorkflowTables>,
  workflowId: string,
  { limit, offset }: Page,
): Promise<WorkflowList> {
  const own = db.selectFrom("workflow").where("workflow_id", "=", workflowId);
  const rows = await own.selectAll().orderBy("number", "desc").limit(limit).offset(offset).execute();
  const { total } = await own.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  return { workflows: rows.map((found) => summaryOf(found)), total, limit, offset };
}

/** Adds a version with the next number. Returns false if the version, or its number, exists. */
export async function insertVersion(
  { db, engine }: Pick<Database<WorkflowTables>, "db" | "engine">,
  definition: WorkflowDefinition,
): Promise<boolean> {
  const { workflow_id, version, name } = definition;
  const { numAffectedRows = 0n } = await sql`
    insert into workflow (workflow_id, version, number, name, created_at, definition)
    select ${workflow_id}, ${version}, coalesce(max(number), 0) + 1, ${columnText(name)}, ${now(engine)},
      ${JSON.stringify(definition)}
    from workflow where workflow_id = ${workflow_id}
    on conflict do nothing`.execute(db);
  return numAffectedRows > 0n;
}
