import type { RunApi } from "../api/run-api.ts";
import { isFinal } from "../text/step-words.ts";
import type { ShownRun } from "./shown-run.ts";

/** Reads what a run asks of people, and once the task that it belongs to. Never rejects: what can't be read stays as it was. */
export async function peopleOf(api: RunApi, { graph, inputs, run, task }: ShownRun): Promise<Partial<ShownRun>> {
  const { run_id: runId, state } = run;
  // Only steps of this type have requests.
  const asks = graph.nodes.some((node) => node.type === "human" && node.state !== "pending");
  const [list, found] = await Promise.all([
    asks ? api.inputs(runId).catch(() => undefined) : undefined,
    // A task that has ended no longer says who asked.
    task === undefined && !isFinal(state) ? api.task(runId).catch(() => null) : task,
  ]);
  return { inputs: list?.input_requests ?? inputs, task: found };
}
