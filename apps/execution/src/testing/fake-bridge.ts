import { callEnding } from "@crosszone/agent-bridge";
import type { AgentResult, AgentTask } from "@crosszone/contracts";
import {
  agentCallKind,
  type AgentCallRecord,
  type CallEnds,
  type CallHeaders,
  callId,
  callInputContext,
  type ExecutionColumn,
} from "@crosszone/agent-calls";
import type { End, JobContext, JobDropped, LeasedJob } from "@crosszone/jobs";
import { createRecordCodec, type RecordCodec } from "@crosszone/service-kit";
import { onTestFinished, vi } from "vitest";
import type { ZoneJobs } from "../database/open-execution-database.ts";

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

/** A process that calls agents, as the fake needs it. */
export interface BridgeProcess {
  readonly jobs: Pick<ZoneJobs, "workOn">;
  readonly ends: CallEnds;
  readonly codec?: RecordCodec;
}

export type FakeBridge = Awaited<ReturnType<typeof startFakeBridge>>;

type Answer = (task: AgentTask) => AgentResult | undefined;

/** Leases the calls of a process's database in place of its bridge, and ends them with the results of `answer`. */
export async function startFakeBridge(process: BridgeProcess, answer: Answer = () => undefined) {
  const { jobs, ends, codec = createRecordCodec(undefined) } = process;
  /** The calls received. */
  const tasks: (AgentTask & { readonly headers: CallHeaders })[] = [];
  /** The calls that were canceled while agents worked on them. */
  const cancellations: AgentTask[] = [];
  const open = new Map<string, { readonly end: (result: AgentResult) => void; readonly ended: Promise<void> }>();

  async function run(job: LeasedJob<ExecutionColumn>, { signal }: JobContext): Promise<End> {
    const { task: asked, headers } = JSON.parse(job.record) as AgentCallRecord;
    const task = { ...asked, input_data: codec.fromColumn(job.input ?? "", callInputContext(job.id)) } as AgentTask;
    const { id, attempt } = job;
    const parent = job.parent ?? undefined;
    const [came, ended] = [Promise.withResolvers<AgentResult>(), Promise.withResolvers<void>()];
    tasks.push({ ...task, headers });
    open.set(id, { end: came.resolve, ended: ended.promise });
    signal.addEventListener("abort", () => {
      if ((signal.reason as JobDropped).why === "canceled") cancellations.push(task);
      open.delete(id);
      ended.resolve();
    });
    const result = answer(task) ?? (await came.promise);
    const outcome = result.status === "SUCCESS" ? "succeeded" : "failed";
    const end = callEnding({ id, attempt }, { outcome, result }, codec);
    return {
      outcome,
      store: () =>
        ends.end({ leaseId: { id, attempt }, task, headers, parent }, end).finally(() => {
          open.delete(id);
          ended.resolve();
        }),
    };
  }

  const room = (): number => 100 - open.size;
  const read = (row: LeasedJob<ExecutionColumn>) => row;
  const kind = { kind: agentCallKind, room, free: room, reserve: () => () => undefined, read, run };
  const worker = jobs.workOn(kind);
  worker.start();
  onTestFinished(() => worker.stop(0));
  const publishOne = async (result: AgentResult): Promise<void> => {
    const call = await vi.waitUntil(() => open.get(callId(result)), 15_000);
    call.end(result);
    await call.ended;
  };
  /** Ends calls that this bridge has leased. Resolves when their ends are stored. */
  const publish = async (...results: readonly AgentResult[]) => void (await Promise.all(results.map(publishOne)));
  return { tasks, cancellations, publish };
}
