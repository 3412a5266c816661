import type { ResultIds } from "./agent-results.ts";

/** The schemas count characters, as JSON Schema does, and not the units of UTF-16. */
const isId = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && Array.from(value.slice(0, 511)).length <= 255;

/** The ids of a task that is not as it must be; nothing without those that a result is found by. */
export function readIds(json: unknown): ResultIds | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { run_id, task_id, correlation_id } = json as Readonly<Record<string, unknown>>;
  if (!isId(run_id) || !isId(task_id)) return undefined;
  return { run_id, task_id, correlation_id: isId(correlation_id) ? correlation_id : task_id };
}
