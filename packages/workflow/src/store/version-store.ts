import { isDeepStrictEqual } from "node:util";
import {
  isWorkflowId,
  isWorkflowVersion,
  type WorkflowDefinition,
  type WorkflowList,
  type WorkflowRecord,
} from "@crosszone/contracts";
import { columnText, now, retryTransient, type Database } from "@crosszone/sql";
import { sql } from "kysely";
import { recently } from "./recently.ts";
import { recordOf, summaryOf, type VersionRow } from "./version-row.ts";
import type { WorkflowTables } from "./workflow-tables.ts";

/** A version that can run. */
export interface FoundVersion {
  readonly definition: WorkflowDefinition;
  /** The definition as it is stored, JSON. */
  readonly text: string;
}

/** The outcome of adding a version. */
export interface AddedVersion {
  /** `conflict`: the version exists with different content. */
  readonly outcome: "created" | "unchanged" | "conflict";
  /** The stored version. */
  readonly record: WorkflowRecord;
}

/** A part of a list. */
export interface Page {
  readonly limit: number;
  readonly offset: number;
}

/** Stores versions of workflows. A stored version never changes. */
export interface VersionStore {
  readonly add: (definition: WorkflowDefinition) => Promise<AddedVersion>;
  /** The latest version when none is named; undefined when the workflow or version does not exist. */
  readonly get: (workflowId: string, version?: string) => Promise<WorkflowRecord | undefined>;
  readonly find: (workflowId: string, version?: string) => Promise<FoundVersion | undefined>;
  /** The latest version of each, by id in the order of code points. */
  readonly list: (page: Page) => Promise<WorkflowList>;
  /** All versions of one workflow, newest first; an empty list if it does not exist. */
  readonly listVersions: (workflowId: string, page: Page) => Promise<WorkflowList>;
}

/** How long an operation is retried while the database is unreachable, milliseconds. */
const patienceMs = 1_000;

export function createVersionStore({ db, engine }: Pick<Database<WorkflowTables>, "db" | "engine">): VersionStore {
  const reach = <T>(operation: () => Promise<T>): Promise<T> => retryTransient(operation, { budgetMs: patienceMs });
  const read = recently(50, (text) => ({ definition: JSON.parse(text) as WorkflowDefinition, text }));

  async function row(workflowId: string, version?: string): Promise<VersionRow | undefined> {
    if (!isWorkflowId(workflowId) || (version !== undefined && !isWorkflowVersion(version))) return undefined;
    let query = db.selectFrom("workflow").selectAll().where("workflow_id", "=", workflowId);
    if (version !== undefined) query = query.where("version", "=", version);
    return reach(() => query.orderBy("number", "desc").limit(1).executeTakeFirst());
  }

  /** Returns the latest version of each workflow, by id. */
  async function latestOf(ids: readonly string[]): Promise<ReadonlyMap<string, VersionRow>> {
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

  async function insert(definition: WorkflowDefinition): Promise<boolean> {
    const { workflow_id, version, name } = definition;
    const { numAffectedRows = 0n } = await sql`
      insert into workflow (workflow_id, version, number, name, created_at, definition)
      select ${workflow_id}, ${version}, coalesce(max(number), 0) + 1, ${columnText(name)}, ${now(engine)},
        ${JSON.stringify(definition)}
      from workflow where workflow_id = ${workflow_id}
      on conflict do nothing`.execute(db);
    return numAffectedRows > 0n;
  }

  return {
    add: async (definition) => {
      for (;;) {
        const isNew = await reach(() => insert(definition));
        const found = await row(definition.workflow_id, definition.version);
        // Another version took the number.
        if (found === undefined) continue;
        const record = recordOf(found);
        if (isNew) return { outcome: "created", record };
        const isSame = isDeepStrictEqual(record.definition, JSON.parse(JSON.stringify(definition)));
        return { outcome: isSame ? "unchanged" : "conflict", record };
      }
    },

    get: async (workflowId, version) => {
      const found = await row(workflowId, version);
      return found && recordOf(found);
    },

    find: async (workflowId, version) => {
      const found = await row(workflowId, version);
      return found && read(found.definition);
    },

    list: ({ limit, offset }) =>
      reach(async () => {
        // Sorted here: engines and locales differ in their order, and the ids are few.
        const all = await db
          .selectFrom("workflow")
          .select(({ fn }) => ["workflow_id", fn.max("number").as("number")])
          .groupBy("workflow_id")
          .execute();
        const page = all.toSorted((a, b) => (a.workflow_id < b.workflow_id ? -1 : 1)).slice(offset, offset + limit);
        const rows = await latestOf(page.map(({ workflow_id }) => workflow_id));
        const workflows = page.flatMap(({ workflow_id }) => {
          const found = rows.get(workflow_id);
          return found ? [summaryOf(found)] : [];
        });
        return { workflows, total: all.length, limit, offset };
      }),

    listVersions: async (workflowId, { limit, offset }) => {
      if (!isWorkflowId(workflowId)) return { workflows: [], total: 0, limit, offset };
      return reach(async () => {
        const own = db.selectFrom("workflow").where("workflow_id", "=", workflowId);
        const rows = await own.selectAll().orderBy("number", "desc").limit(limit).offset(offset).execute();
        const { total } = await own.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
        return { workflows: rows.map((found) => summaryOf(found)), total, limit, offset };
      });
    },
  };
}
