import { isDeepStrictEqual } from "node:util";
import { type AppendAudit, type Author, authorAct } from "@crosszone/audit";
import {
  isWorkflowId,
  isWorkflowVersion,
  type WorkflowDefinition,
  type WorkflowList,
  type WorkflowRecord,
} from "@crosszone/contracts";
import { type Database, retryBriefly } from "@crosszone/sql";
import { recently } from "../threads/recently.ts";
import {
  findVersion,
  insertVersion,
  listLatest,
  listVersionsOf,
  type Page,
  recordOf,
  type VersionRow,
} from "./version-row.ts";
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

export interface VersionReader {
  /** The latest version when none is named; undefined when the workflow or version does not exist. */
  readonly get: (workflowId: string, version?: string) => Promise<WorkflowRecord | undefined>;
  /** The latest version of each, by id in the order of code points. */
  readonly list: (page: Page) => Promise<WorkflowList>;
  /** All versions of one workflow, newest first; an empty list if it does not exist. */
  readonly listVersions: (workflowId: string, page: Page) => Promise<WorkflowList>;
}

/** Stores versions of workflows. A stored version never changes. */
export interface VersionStore extends VersionReader {
  readonly add: (definition: WorkflowDefinition, by?: Author) => Promise<AddedVersion>;
  readonly find: (workflowId: string, version?: string) => Promise<FoundVersion | undefined>;
}

export function createVersionStore(database: Database<WorkflowTables>, append: AppendAudit): VersionStore {
  const { db } = database;
  const read = recently(50, (text) => ({ definition: JSON.parse(text) as WorkflowDefinition, text }));

  async function row(workflowId: string, version?: string): Promise<VersionRow | undefined> {
    if (!isWorkflowId(workflowId) || (version !== undefined && !isWorkflowVersion(version))) return undefined;
    return retryBriefly(() => findVersion(db, workflowId, version));
  }

  async function insert(definition: WorkflowDefinition, by: Author | undefined): Promise<boolean> {
    if (by === undefined) return insertVersion(database, definition);
    const { workflow_id: id, version } = definition;
    return database.transaction(async (tx) => {
      const isNew = await insertVersion({ db: tx, engine: database.engine }, definition);
      const act = { action: "workflow.create", target: { type: "workflow", id }, details: { version } };
      if (isNew) await append(tx, [authorAct(by, act)]);
      return isNew;
    });
  }

  return {
    add: async (definition, by) => {
      for (;;) {
        const isNew = await retryBriefly(() => insert(definition, by));
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

    list: (page) => retryBriefly(() => listLatest(database, page)),

    listVersions: async (workflowId, page) => {
      if (!isWorkflowId(workflowId)) return { workflows: [], total: 0, ...page };
      return retryBriefly(() => listVersionsOf(db, workflowId, page));
    },
  };
}
