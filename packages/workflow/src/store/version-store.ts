import { isDeepStrictEqual } from "node:util";
import { type AppendAudit, type Author, authorAct } from "@crosszone/audit";
import {
  isWorkflowId,
  isWorkflowVersion,
  type WorkflowDefinition,
  type WorkflowRecord,
  type WorkflowSummary,
} from "@crosszone/contracts";
import { isoTime } from "@crosszone/service-kit/text";
import {
  columnText,
  type Database,
  type Engine,
  now,
  personDigest,
  retryBriefly,
  storedBytes,
  withinPageBytes,
} from "@crosszone/sql";
import { type Kysely, type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import { recently } from "../within-time.ts";
import type { WorkflowTable, WorkflowTables } from "./workflow-tables.ts";

type VersionRow = Selectable<WorkflowTable>;

/** A page of a list, with the key of its last row unless it is the last page. `total`: rows on all pages. */
export interface VersionPage<Key> {
  readonly workflows: WorkflowSummary[];
  readonly total: number;
  readonly next: Key | undefined;
}

function workflowRecordOf({ workflow_id, version, created_at, definition }: VersionRow): WorkflowRecord {
  return {
    workflow_id,
    version,
    created_at: isoTime(created_at),
    definition: JSON.parse(definition) as WorkflowDefinition,
  };
}

/** The columns of a list. */
const listed = ["workflow_id", "number", "version", "created_at", "summary"] as const;

function summaryOf({
  number: _number,
  summary,
  created_at,
  ...ids
}: Pick<VersionRow, (typeof listed)[number]>): WorkflowSummary {
  const { name, description, input_schema } = JSON.parse(summary) as WorkflowDefinition;
  return { ...ids, name, description, input_schema, created_at: isoTime(created_at) };
}

type Versions = SelectQueryBuilder<WorkflowTables, "workflow", object>;

/** Returns the rows of a list behind a place in it, in its order. */
async function pageOf<Key extends "workflow_id" | "number">(
  [all, chosen]: readonly [all: Versions, chosen: Versions],
  key: Key,
  {
    order,
    behind,
    limit,
  }: { readonly order: RawBuilder<unknown>; readonly behind: RawBuilder<boolean>; readonly limit: number },
): Promise<VersionPage<Pick<VersionRow, "workflow_id" | "number">[Key]>> {
  const rest = chosen.where(behind);
  const page = rest
    .select(["workflow_id", "number", storedBytes("summary").as("bytes")])
    .orderBy(order)
    .limit(limit);
  const within = withinPageBytes("workflow", ["workflow_id", "number"], page);
  const rows = await all.select(listed).where(within).orderBy(order).execute();
  const [{ total }, { left }] = await Promise.all([
    chosen.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow(),
    rest.select(({ fn }) => fn.countAll<number>().as("left")).executeTakeFirstOrThrow(),
  ]);
  return { workflows: rows.map(summaryOf), total, next: left > rows.length ? rows.at(-1)?.[key] : undefined };
}

/** Adds a version with the next number. Returns false if the version, or its number, exists. */
async function insertVersion(
  db: Kysely<WorkflowTables>,
  engine: Engine,
  { definition, author }: { readonly definition: WorkflowDefinition; readonly author: string | null },
): Promise<boolean> {
  const { workflow_id, version, name, description, input_schema } = definition;
  const { numAffectedRows = 0n } = await sql`
    insert into workflow (workflow_id, version, number, name, created_at, definition, summary, author)
    select ${workflow_id}, ${version}, coalesce(max(number), 0) + 1, ${columnText(name)}, ${now(engine)},
      ${JSON.stringify(definition)}, ${JSON.stringify({ name, description, input_schema })}, ${author}
    from workflow where workflow_id = ${workflow_id}
    on conflict do nothing`.execute(db);
  return numAffectedRows > 0n;
}

/** A version that can run. */
export interface FoundVersion {
  readonly definition: WorkflowDefinition;
  /** The definition as it is stored, JSON. */
  readonly text: string;
}

export interface AddedVersion {
  /** `conflict`: the version exists with different content. */
  readonly outcome: "created" | "unchanged" | "conflict";
  readonly record: WorkflowRecord;
}

/** Stores versions of workflows. A stored version never changes. */
export interface VersionStore extends ReturnType<typeof createVersionStore> {}

export function createVersionStore(database: Database<WorkflowTables>, append: AppendAudit) {
  const { db, engine } = database;
  const read = recently(50, (text) => ({ definition: JSON.parse(text) as WorkflowDefinition, text }));
  const versions = db.selectFrom("workflow");
  // The locale of PostgreSQL has another order.
  const byId = engine === "sqlite" ? sql`workflow_id` : sql`workflow_id collate "C"`;

  /** Returns a version of a workflow, or its latest one; undefined if it does not exist. */
  async function row(workflowId: string, version?: string): Promise<VersionRow | undefined> {
    if (!isWorkflowId(workflowId) || (version !== undefined && !isWorkflowVersion(version))) return undefined;
    const all = versions.selectAll().where("workflow_id", "=", workflowId);
    const named = version === undefined ? all : all.where("version", "=", version);
    return retryBriefly(() => named.orderBy("number", "desc").limit(1).executeTakeFirst());
  }

  async function insert(definition: WorkflowDefinition, by: Author | undefined): Promise<boolean> {
    if (by === undefined) return insertVersion(db, engine, { definition, author: null });
    const { workflow_id: id, version } = definition;
    return database.transaction(async (tx) => {
      const isNew = await insertVersion(tx, engine, { definition, author: personDigest(by.actor) });
      const act = { action: "workflow.create", target: { type: "workflow", id }, details: { version } };
      if (isNew) await append(tx, [authorAct(by, act)]);
      return isNew;
    });
  }

  return {
    add: async (definition: WorkflowDefinition, by?: Author): Promise<AddedVersion> => {
      for (;;) {
        const isNew = await retryBriefly(() => insert(definition, by));
        const found = await row(definition.workflow_id, definition.version);
        // Another version took the number.
        if (found === undefined) continue;
        const record = workflowRecordOf(found);
        if (isNew) return { outcome: "created", record };
        const isSame = isDeepStrictEqual(record.definition, JSON.parse(JSON.stringify(definition)));
        return { outcome: isSame ? "unchanged" : "conflict", record };
      }
    },

    /** The latest version when none is named; undefined when the workflow or version does not exist. */
    get: async (workflowId: string, version?: string): Promise<WorkflowRecord | undefined> => {
      const found = await row(workflowId, version);
      return found && workflowRecordOf(found);
    },

    find: async (workflowId: string, version?: string): Promise<FoundVersion | undefined> => {
      const found = await row(workflowId, version);
      return found && read(found.definition);
    },

    /** The latest version of each, by id in the order of code points, those after an id. */
    list: ({ limit, after = "" }: { readonly limit: number; readonly after?: string | undefined }) => {
      const latest = versions.where("number", "=", (eb) =>
        eb
          .selectFrom("workflow as other")
          .whereRef("other.workflow_id", "=", "workflow.workflow_id")
          .select(({ fn }) => fn.max("other.number").as("number")),
      );
      const behind = sql<boolean>`${byId} > ${columnText(after)}`;
      return retryBriefly(() => pageOf([versions, latest], "workflow_id", { order: byId, behind, limit }));
    },

    /** The ids of all workflows. */
    ids: async (): Promise<readonly string[]> => {
      const rows = await retryBriefly(() => versions.select("workflow_id").distinct().execute());
      return rows.map(({ workflow_id }) => workflow_id);
    },

    /** The versions of one workflow, newest first, those before a number; an empty list if it does not exist. */
    listVersions: async (
      workflowId: string,
      { limit, before }: { readonly limit: number; readonly before?: number | undefined },
    ): Promise<VersionPage<number>> => {
      if (!isWorkflowId(workflowId)) return { workflows: [], total: 0, next: undefined };
      const own = versions.where("workflow_id", "=", workflowId);
      const behind = before === undefined ? sql<boolean>`true` : sql<boolean>`number < ${before}`;
      return retryBriefly(() => pageOf([versions, own], "number", { order: sql`number desc`, behind, limit }));
    },
  };
}
