import type { ToolCall, ToolResult } from "@crosszone/assistant";
import { type RunInputs, TaskPaused } from "../task-paused.ts";

/** The keys of what a called agent asks, unique within the whole task. */
const keyOf = (taskId: string, key: string): string => `${taskId}/${key}`;

/** Returns the pause of a called agent. Throws any other error. */
export function pausedBy(error: unknown): TaskPaused {
  if (error instanceof TaskPaused) return error;
  throw error;
}

/** Returns the result of a call, by its task id, whose agent waits for people. */
export function waitingFor({ awaited, continuation }: TaskPaused, taskId: string): ToolResult {
  const asked = awaited.map((one) => ("waits_for" in one ? one : { ...one, key: keyOf(taskId, one.key) }));
  return { text: "", waits: { awaited: asked, continuation } };
}

/** Returns what a called agent that had waited for people gets: the task's inputs as if they were its own. */
export function inputsOfCall(
  taskId: string,
  inputs: RunInputs | undefined,
  continuation: ToolCall["continuation"],
): RunInputs | undefined {
  if (inputs === undefined || continuation === undefined) return undefined;
  const start = keyOf(taskId, "");
  const own = [...inputs.decided].filter(([key]) => key.startsWith(start));
  return {
    ...inputs,
    continuation: continuation.value,
    decided: new Map(own.map(([key, request]) => [key.slice(start.length), request])),
    use: (key, action) => inputs.use(keyOf(taskId, key), action),
  };
}
