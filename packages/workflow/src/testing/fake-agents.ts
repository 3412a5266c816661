import { setTimeout as delay } from "node:timers/promises";
import type { AgentResult, AgentTask } from "@crosszone/contracts";
import {
  agentCallJob,
  agentCallKind,
  callEnd,
  callId,
  callInputContext,
  shareOfAgent,
  type AgentCallRecord,
  type CallHeaders,
} from "@crosszone/agent-calls";
import { createRoom, type JobDropped, type LeaseId } from "@crosszone/jobs";
import type { TaskOfRun } from "../runner/turn.ts";
import type { Executor } from "./new-executor.ts";

/** Returns an agent's output; undefined for no response. A thrown error's message becomes the agent's failure. */
export type FakeAnswer = (task: AgentTask) => unknown;

/** The end of a task: a failure if `message` is present. */
interface FakeEnd {
  readonly output?: unknown;
  readonly message?: string;
}

interface Call extends LeaseId {
  readonly task: AgentTask;
  readonly headers: CallHeaders;
  readonly parent: string | undefined;
}

type LeasingProcess = Pick<Executor, "ends" | "codec"> & { readonly jobs: Pick<Executor["jobs"], "workOn"> };

/** Leases the calls of a process in place of its bridge. A call ends with the result of `answer`, or else with that given to its `end`. */
export function leaseCalls(
  { jobs, ends, codec }: LeasingProcess,
  answer: (task: AgentTask, headers: CallHeaders) => AgentResult | undefined | Promise<AgentResult | undefined>,
) {
  /** The tasks that agents worked on when they were canceled. */
  const cancellations: AgentTask[] = [];
  /** The calls that are being worked on, by id. `ended` resolves when the end is stored. */
  const open = new Map<string, { readonly end: (result: AgentResult) => void; readonly ended: Promise<void> }>();
  const worker = jobs.workOn<Call>({
    kind: agentCallKind,
    ...createRoom(100),
    read: ({ id, attempt, record, input, parent }) => {
      const { task, headers } = JSON.parse(record) as AgentCallRecord;
      const input_data = codec.fromColumn(input ?? "null", callInputContext(id));
      return { id, attempt, task: { ...task, input_data }, headers, parent: parent ?? undefined };
    },
    run: async ({ id, attempt, task, headers, parent }, { signal }) => {
      const [answered, ended] = [Promise.withResolvers<AgentResult>(), Promise.withResolvers<void>()];
      const close = (): void => {
        open.delete(id);
        ended.resolve();
      };
      open.set(id, { end: answered.resolve, ended: ended.promise });
      signal.addEventListener("abort", () => {
        if ((signal.reason as JobDropped).why === "canceled") cancellations.push(task);
        close();
      });
      void Promise.resolve(answer(task, headers)).then((own) => own && answered.resolve(own));
      const result = await answered.promise;
      const outcome = result.status === "SUCCESS" ? "succeeded" : "failed";
      const leaseId = { id, attempt };
      const end = callEnd({ id, outcome, result }, codec);
      const store = () => ends.end({ leaseId, task, headers, parent }, { outcome, result, ending: { leaseId, end } });
      return { outcome, store: () => store().finally(close) };
    },
  });
  return { worker, open, cancellations };
}

/** Fakes the bridge of an executor and all agents behind it. Each agent echoes its input unless told otherwise. */
export async function startFakeAgents(executor: Executor, answer: FakeAnswer = ({ input_data }) => input_data) {
  /** The received tasks in order. */
  const tasks: AgentTask[] = [];
  const headers: CallHeaders[] = [];
  const { worker, open, cancellations } = leaseCalls(executor, (task, given) => {
    tasks.push(task);
    headers.push(given);
    return resultFor(task, answer);
  });
  executor.useBridge({
    worker,
    enter: async (call) => {
      const { task, headers: given, parent } = call;
      const begun = { id: callId(task), attempt: 1, task, headers: given, parent };
      const { as, settle } = worker.enter(shareOfAgent(task.agent_name), () => begun);
      return { job: agentCallJob(call, as, executor.codec), settle };
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
      if (task) open.get(callId(task))?.end(agentResult(task, end));
    },
    /** Calls that are being worked on here. */
    running: worker.running,
  };
}

/** Returns the result of a task. */
export function agentResult(
  { run_id, task_id, correlation_id }: TaskOfRun,
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

/** Delivers a result that came from outside the database, as over Kafka, and waits until it is applied. */
export async function deliverResult(
  { database: { db }, jobs: { store }, workflows }: Pick<Executor, "database" | "jobs" | "workflows">,
  result: AgentResult,
): Promise<void> {
  const id = callId(result);
  const end = { outcome: "succeeded", output: JSON.stringify(result) };
  const entered = workflows.enterResult(result, end);
  if (entered === undefined) return;
  // The call waits for a bridge elsewhere.
  const { run_id, task_id, correlation_id } = result;
  const record = JSON.stringify({ task: { run_id, task_id, correlation_id, agent_name: "agent" }, headers: {} });
  await db.updateTable("job").set({ state: 3, kind: agentCallKind, owner: null }).where("id", "=", id).execute();
  await store.add({ id, kind: agentCallKind, share: agentCallKind, record, as: "waiting" });
  const [isStored = false] = await store.outside.turn(agentCallKind, [{ id, end, ...entered }], []);
  entered.settle(isStored);
  const open = db.selectFrom("job").select("id").where("id", "=", id).where("state", "<", 4);
  while ((await open.executeTakeFirst()) !== undefined) await delay(5);
}
