import type { ResultIds } from "./agent-results.ts";

/** Schemas count characters, as JSON Schema does, not UTF-16 units. */
const isId = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && Array.from(value.slice(0, 511)).length <= 255;

/** Returns the ids of an invalid task; undefined without the ids that a result needs. */
export function readIds(json: unknown): ResultIds | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { run_id, task_id, correlation_id } = json as Readonly<Record<string, unknown>>;
  if (!isId(run_id) || !isId(task_id)) return undefined;
  return { run_id, task_id, correlation_id: isId(correlation_id) ? correlation_id : task_id };
}
