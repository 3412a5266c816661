import type { WorkflowDefinition } from "@crosszone/contracts";
import { callId } from "@crosszone/agent-calls";
import { stepIdOf } from "../state/run-plan.ts";
import type { RunRecord } from "../state/run-record.ts";

/** Returns true for the path of a step that waits for people. The run's deadline does not pass meanwhile. */
export const asksPeople = ({ steps }: WorkflowDefinition, path: string): boolean =>
  steps[stepIdOf(path)]?.type === "human";

/** Returns whether any step waits for people. */
export const asksAnyone = ({ steps }: WorkflowDefinition): boolean =>
  Object.values(steps).some((step) => step?.type === "human");

/** Returns the tasks of steps that wait for people. `tasks`: task ids with the paths of their steps. */
export function humanTasks(
  definition: WorkflowDefinition,
  tasks: Iterable<readonly [taskId: string, path: string]>,
): readonly string[] {
  return [...tasks].flatMap(([taskId, path]) => (asksPeople(definition, path) ? [taskId] : []));
}

/** Returns the ids of the input requests that a run waits for. Each is the id of its job, too. */
export function awaitedInputs(definition: WorkflowDefinition, { run_id, tasks }: RunRecord): readonly string[] {
  return humanTasks(definition, Object.entries(tasks)).map((task_id) => callId({ run_id, task_id }));
}
