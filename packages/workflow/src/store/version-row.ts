import type { WorkflowDefinition, WorkflowRecord, WorkflowSummary } from "@crosszone/contracts";
import type { Selectable } from "kysely";
import { isoTime } from "../state/run-record.ts";
import type { WorkflowTable } from "./workflow-tables.ts";

export type VersionRow = Selectable<WorkflowTable>;

/** Returns a version with its definition. */
export function recordOf({ workflow_id, version, created_at, definition }: VersionRow): WorkflowRecord {
  return {
    workflow_id,
    version,
    created_at: isoTime(created_at),
    definition: JSON.parse(definition) as WorkflowDefinition,
  };
}

/** A version in a list. */
export function summaryOf(row: VersionRow): WorkflowSummary {
  const { workflow_id, version, created_at, definition } = recordOf(row);
  const { name, description } = definition;
  return { workflow_id, version, name, ...(description !== undefined && { description }), created_at };
}
