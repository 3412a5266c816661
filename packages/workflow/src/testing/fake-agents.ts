import type { AgentResult, AgentTask } from "@crosszone/contracts";
import {
  agentCallJob,
  agentCallKind,
  callId,
  callInputContext,
  callOutputContext,
  shareOfAgent,
  type AgentCallRecord,
  type CallEnding,
  type CallHeaders,
  type ExecutionColumn,
} from "@crosszone/agent-calls";
import { createRoom, type JobContext, type JobDropped, type JobKind, type End, type LeaseId } from "@crosszone/jobs";
import type { CanceledTask } from "../runner/turn.ts";
import type { Executor } from "./new-executor.ts";

/** Returns an agent's output; undefined for no response. A thrown error's message becomes the agent's failure. */
export type FakeAnswer = (task: AgentTask) => unknown;

/** The end of a task: a failure if `message` is present. */
export interface FakeEnd {
  readonly output?: unknown;
  readonly message?: string;
}

export type FakeAgents = Awaited<ReturnType<typeof startFakeAgents>>;

interface Call extends LeaseId {
  readonly task: AgentTask;
  readonly headers: CallHeaders;
  readonly parent: string | undefined;
}

/** Fakes the bridge of an executor and all agents behind it. Each agent echoes its input unless told otherwise. */
export async function startFakeAgents(executor: Executor, answer: FakeAnswer = ({ input_data }) => input_data) {
  const { jobs, codec } = executor;
  const received: Bridge["received"] = { tasks: [], headers: [], cancellations: [], open: new Map() };
  const { tasks, headers, cancellations, open } = received;
  const bridge: Bridge = { executor, answer, received };

  const kind: JobKind<ExecutionColumn, Call> = {
    kind: agentCallKind,
    ...createRoom(100),
    read: ({ id, attempt, record, input, parent }) => {
      const { task, headers: given } = JSON.parse(record) as AgentCallRecord;
      const input_data = codec.fromColumn(input ?? "null", callInputContext(id));
      return { id, attempt, task: { ...task, input_data }, headers: given, parent: parent ?? undefined };
    },
    run: (call, context) => runCall(bridge, call, context),
  };
  const worker = jobs.workOn(kind);
  executor.useBridge({
    worker,
    enter: async (call) => {
      const { task, headers: given, parent } = call;
      const begun = { id: callId(task), attempt: 1, task, headers: given, parent };
      const { as, settle } = worker.enter(shareOfAgent(task.agent_name), () => begun);
      return { job: agentCallJob(call, as, codec), settle };
    },
  });
  worker.start();
  return {
    tasks,
    headers,
    cancellations,
    /** Ends a task that had no response. */
    answer: (taskId: string, end: FakeEnd) => {
      const task = tasks.findLast(({ task_id }) => task_id === taskId);
      if (task) open.get(taskId)?.(agentResult(task, end));
    },
    /** Calls that are being worked on here. */
    running: worker.running,
  };
}

/** The fake bridge and the calls that it received. */
interface Bridge {
  readonly executor: Executor;
  readonly answer: FakeAnswer;
  readonly received: {
    /** The received tasks in order. */
    readonly tasks: AgentTask[];
    readonly headers: CallHeaders[];
    /** The tasks that agents worked on when they were canceled. */
    readonly cancellations: AgentTask[];
    /** Ends of the calls that are being worked on, by task id. */
    readonly open: Map<string, (result: AgentResult) => void>;
  };
}

async function runCall(
  { executor: { codec, ends }, answer, received: { tasks, headers, cancellations, open } }: Bridge,
  call: Call,
  { signal }: JobContext,
): Promise<End> {
  const { task, id, attempt } = call;
  const answered = Promise.withResolvers<AgentResult>();
  tasks.push(task);
  headers.push(call.headers);
  open.set(task.task_id, answered.resolve);
  signal.addEventListener("abort", () => {
    if ((signal.reason as JobDropped).why === "canceled") cancellations.push(task);
    open.delete(task.task_id);
  });
  void resultFor(task, answer).then((result) => result && answered.resolve(result));
  const result = await answered.promise;
  const leaseId = { id, attempt };
  const end = endOf(leaseId, result, codec.toColumn(result, callOutputContext(id)));
  return {
    outcome: end.outcome,
    store: () => ends.end({ ...call, leaseId }, end),
    stored: () => void open.delete(task.task_id),
  };
}

function endOf(leaseId: LeaseId, result: AgentResult, output: string): CallEnding {
  const outcome = result.status === "SUCCESS" ? "succeeded" : "failed";
  return { outcome, result, ending: { leaseId, end: { outcome, output, own: { agent_attempts: 1 } } } };
}

/** Returns the result of a task. */
export function agentResult(
  { run_id, task_id, correlation_id }: CanceledTask,
  { output = null, message }: FakeEnd,
): AgentResult {
  const ids = { run_id, task_id, correlation_id, timestamp: new Date().toISOString(), attempts: 1 };
  return message === undefined
    ? { ...ids, status: "SUCCESS", output_data: output, error_message: null }
    : { ...ids, status: "FAILURE", output_data: null, error_message: message };
}

async function resultFor(task: AgentTask, answer: FakeAnswer): Promise<AgentResult | undefined> {
  try {
    const output = await answer(task);
    return output === undefined ? undefined : agentResult(task, { output });
  } catch (error) {
    return agentResult(task, { message: (error as Error).message });
  }
}
