import { type CallEnds, type CallHeaders, callId } from "@crosszone/agent-calls";
import type { AgentResult, AgentTask } from "@crosszone/contracts";
import { createRecordCodec, type RecordCodec } from "@crosszone/service-kit";
import { leaseCalls } from "@crosszone/workflow/testing";
import { onTestFinished, vi } from "vitest";
import type { ZoneJobs } from "../store/open-execution-database.ts";

/** A result as the bridge publishes it. */
export const agentResult = (taskId: string, members: Partial<AgentResult> = {}): AgentResult => ({
  run_id: taskId,
  task_id: taskId,
  status: "SUCCESS",
  output_data: { text: `done ${taskId}`, response: "" },
  correlation_id: "c-1",
  error_message: null,
  timestamp: "2026-03-01T10:00:00Z",
  ...members,
});

/** Leases the calls of a process's database in place of its bridge, and ends them with the results of `answer`. */
export async function startFakeBridge(
  { jobs, ends, codec = createRecordCodec(undefined) }: { jobs: ZoneJobs; ends: CallEnds; codec?: RecordCodec },
  answer: (task: AgentTask) => AgentResult | undefined = () => undefined,
) {
  /** The calls received. */
  const tasks: (AgentTask & { readonly headers: CallHeaders })[] = [];
  const { worker, open, cancellations } = leaseCalls({ jobs, ends, codec }, (task, headers) => {
    tasks.push({ ...task, headers });
    return answer(task);
  });
  worker.start();
  onTestFinished(() => worker.stop(0));
  const publishOne = async (result: AgentResult): Promise<void> => {
    const call = await vi.waitUntil(() => open.get(callId(result)));
    call.end(result);
    await call.ended;
  };
  /** Ends calls that this bridge has leased. Resolves when their ends are stored. */
  const publish = async (...results: readonly AgentResult[]) => void (await Promise.all(results.map(publishOne)));
  return { tasks, cancellations, publish };
}
