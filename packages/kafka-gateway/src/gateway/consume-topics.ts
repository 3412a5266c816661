import {
  AgentFailure,
  deadlineMsOf,
  failedFields,
  failureResult,
  type ResultIds,
  taskIdsOf,
} from "@crosszone/agent-bridge";
import { callId, type ExecutionColumn } from "@crosszone/agent-calls";
import { type AgentResult, isAgentTask } from "@crosszone/contracts";
import { type JobStore, storeArrival } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { BusEmit, DeadLetter, Delivery, KafkaBus, Subscription } from "../bus/kafka-bus.ts";
import { endOf, endUnworked, resultOf } from "./end-calls.ts";
import type { GatewayBridge, GatewayRoles } from "./kafka-gateway.ts";
import type { Publications } from "./publications.ts";
import { shareOf } from "./publish-jobs.ts";

/** How many messages of one channel are stored at the same time. They share commits. */
const concurrency = 200;

interface ConsumeDeps {
  readonly bus: KafkaBus;
  readonly store: JobStore<ExecutionColumn>;
  readonly codec: RecordCodec;
}

interface ConsumeTasksDeps extends ConsumeDeps {
  readonly publications: Publications;
  readonly bridge: GatewayBridge;
  readonly emit: BusEmit;
}

/**
 * Consumes tasks and stores them as calls; the bridge starts one at once when it has room. A task that arrives again is
 * not repeated: if it has ended, its result is published again.
 */
export function consumeTasks(deps: ConsumeTasksDeps): Promise<Subscription> {
  const { bus, store, codec, publications, bridge, emit: report } = deps;
  const { emit } = bridge;
  // A call that only its publisher in the same database has is taken over.
  const claim = store.outside.takingOver({ share: shareOf("agent_tasks"), own: ["name"] });

  async function handle({ value: task, headers }: Delivery<"agent_tasks">): Promise<void> {
    const arrival = await bridge.intake.enter({ task, headers, deadlineMs: deadlineMsOf(task, bridge.deadlineMs) });
    const isNew = await storeArrival(arrival, () => claim(arrival.job));
    if (isNew) return;
    await republishResult(callId(task));
    emit("bridge_call_stored", { ...taskIdsOf(task, headers), is_new: isNew });
  }

  async function republishResult(id: string): Promise<void> {
    const message = await resultOf(id, store, codec);
    if (message !== undefined) await publications.send(message);
  }

  /** Publishes a failure for the waiting caller, if the message says which task it is. */
  async function onDeadLetter({ json, changed, headers, reason, channel }: DeadLetter): Promise<void> {
    report("bus_message_refused", { channel, because: reason });
    const ids = readIds(json);
    if (ids === undefined) return;
    const failure =
      isAgentTask(json) && !changed
        ? new AgentFailure("internal", `The task could not be stored: ${reason}`)
        : new AgentFailure("invalid_task", `The task can't be read: ${reason}`);
    const refused = await endUnworked(deps, ids, { result: failureResult(ids, failure), headers });
    if (refused === undefined) return;
    const { agentName: agent_name, durationMs: duration_ms } = refused;
    const fields = { ...taskIdsOf({ ...ids, agent_name }, headers), duration_ms };
    emit("bridge_call_refused", { ...fields, attempt: 0, ...failedFields(failure) });
    emit("bridge_call_ended", { ...fields, state: "failed", kind: failure.kind });
  }

  return bus.subscribe("agent_tasks", { group: "agent-bridge", concurrency, handle, onDeadLetter });
}

/** Consumes cancellations. One that arrives before its task is stored too; one after the end changes nothing. */
export function consumeCancellations(deps: ConsumeTasksDeps): Promise<Subscription> {
  const { bus, bridge, emit: report } = deps;
  const { emit } = bridge;

  async function handle({ value, headers }: Delivery<"agent_cancellations">): Promise<void> {
    const because = value.reason === undefined ? "" : ` ${value.reason}`;
    const failure = new AgentFailure("canceled", `The task was canceled.${because}`);
    const canceled = await endUnworked(deps, value, { result: failureResult(value, failure), headers });
    if (canceled === undefined) return;
    bridge.drop(callId(value));
    const { agentName: agent_name, durationMs: duration_ms } = canceled;
    const end = { state: "canceled", duration_ms, kind: failure.kind };
    emit("bridge_call_ended", { ...taskIdsOf({ ...value, agent_name }, headers), ...end });
  }

  return bus.subscribe("agent_cancellations", {
    group: "agent-bridge",
    concurrency,
    handle,
    onDeadLetter: async ({ channel, reason }) => report("bus_message_refused", { channel, because: reason }),
  });
}

/** Consumes the results of tasks' calls: ends the call and notifies the task, in whatever process it waits. */
export function consumeTaskResults(
  { bus, store, codec }: ConsumeDeps,
  onTaskResult: NonNullable<GatewayRoles["onTaskResult"]>,
): Promise<Subscription> {
  const [tasks, results] = [shareOf("agent_tasks"), shareOf("agent_results")];

  async function take(result: AgentResult): Promise<void> {
    // Other programs may use the same topic. A task's call has the task's id twice.
    if (result.run_id !== result.task_id) return;
    // Its task may wait in another process.
    const notifies = !onTaskResult(result);
    const shares = notifies ? ([tasks, results] as const) : ([tasks] as const);
    await store.outside.end(callId(result), endOf(result, codec), { shares, notifies });
  }

  return bus.subscribe("agent_results", {
    group: "execution",
    concurrency,
    handle: ({ value }) => take(value),
    onDeadLetter: failChanged(take),
  });
}

export function consumeRunResults(
  bus: KafkaBus,
  onRunResult: NonNullable<GatewayRoles["onRunResult"]>,
): Promise<Subscription> {
  async function take(result: AgentResult, attempt: number): Promise<void> {
    // A step's call has the run's id and the place of the step.
    if (result.task_id.startsWith(`${result.run_id}.`)) await onRunResult(result, attempt);
  }

  return bus.subscribe("agent_results", {
    group: "workflow",
    concurrency,
    handle: ({ value, attempt }) => take(value, attempt),
    onDeadLetter: failChanged(take),
  });
}

/** Returns what ends the call of a result whose values would change: as failed. */
const failChanged =
  (take: (result: AgentResult, attempt: number) => Promise<void>) =>
  async ({ json, changed, reason }: DeadLetter): Promise<void> => {
    const ids = changed ? readIds(json) : undefined;
    if (ids === undefined) return;
    await take(failureResult(ids, new AgentFailure("invalid_response", `The result can't be used: ${reason}.`)), 1);
  };

/** Schemas count characters, as JSON Schema does, not UTF-16 units. */
const isId = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && Array.from(value.slice(0, 511)).length <= 255;

/** Returns the ids of an invalid task; undefined without the ids that a result needs. */
function readIds(json: unknown): ResultIds | undefined {
  if (typeof json !== "object" || json === null) return undefined;
  const { run_id, task_id, correlation_id } = json as Readonly<Record<string, unknown>>;
  if (!isId(run_id) || !isId(task_id)) return undefined;
  return { run_id, task_id, correlation_id: isId(correlation_id) ? correlation_id : task_id };
}
