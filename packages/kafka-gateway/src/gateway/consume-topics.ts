import {
  AgentFailure,
  type BridgeEmit,
  deadlineMsOf,
  failureResult,
  type ResultIds,
  taskIdsOf,
} from "@crosszone/agent-bridge";
import {
  agentCallKind,
  type CallArrival,
  callId,
  type CallIntake,
  type ExecutionColumn,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import { type AgentResult, isAgentTask } from "@crosszone/contracts";
import { type Arrival, type JobEnd, storeArrivals, type TurnedJob } from "@crosszone/jobs";
import type { Database } from "@crosszone/sql";
import type { CompiledQuery } from "kysely";
import type { BusEmit, DeadLetter, Fetched, KafkaBus, Subscription } from "../bus/kafka-bus.ts";
import { type DeadLetterTables, insertLetter } from "./dead-letters.ts";
import { endOf, endUnworked, resultOf, type StoredCalls } from "./end-calls.ts";
import { toOutbox } from "./publish-outbox.ts";

/** The message handlers of this process's roles. */
export interface GatewayRoles {
  /** Consumes tasks and cancellations. For the role `bridge`. */
  readonly bridge?: GatewayBridge;
  /**
   * Receives the results of tasks' calls. Returns whether the task waits in this process; otherwise the database
   * notifies the process where it waits. For the role `rpc`.
   */
  readonly onTaskResult?: (result: AgentResult) => boolean;
  /**
   * Lets the call of a workflow step that has this end arrive here as a job with its result. Undefined for other senders. For the role
   * `workflow`.
   */
  readonly enterResult?: (
    result: AgentResult,
    end: JobEnd<ExecutionColumn>,
  ) => (Arrival & Pick<TurnedJob<ExecutionColumn>, "kind">) | undefined;
}

/** The bridge as the gateway uses it. */
interface GatewayBridge {
  /** Stores and runs the calls that tasks on the topic become. */
  readonly intake: Pick<CallIntake, "enter">;
  /** Stops the work on a call that has ended, if it runs here. */
  readonly drop: (callId: string) => void;
  /** Timeout of a task without deadline, milliseconds. */
  readonly deadlineMs: number;
  readonly emit: BridgeEmit;
}

interface ConsumeDeps extends StoredCalls {
  readonly bus: KafkaBus;
  readonly database: Database<ExecutionJobTables & DeadLetterTables>;
}

interface ConsumeTasksDeps extends ConsumeDeps {
  readonly bridge: GatewayBridge;
  readonly emit: BusEmit;
  /** Messages are in the outbox. */
  readonly wake: () => void;
}

const lettersOf = ({ database, codec }: ConsumeDeps, letters: readonly DeadLetter[]): CompiledQuery[] =>
  letters.map((letter) => insertLetter(database, letter, codec));

/**
 * Consumes tasks and stores them as calls; the bridge starts one at once when it has room. A task that arrives again is not repeated: if it
 * has ended, its result is published again. A message that is no task fails its call, if it says which task it is.
 */
export function consumeTasks(deps: ConsumeTasksDeps): Promise<Subscription> {
  const { bus, store, codec, bridge, wake, emit: report } = deps;
  const { emit } = bridge;

  async function storeTasks({ messages, letters }: Fetched<"agent_tasks">): Promise<void> {
    await refuse(letters);
    const arrivals: CallArrival[] = [];
    const stored = await storeArrivals(arrivals, async () => {
      for (const { value: task, headers } of messages)
        arrivals.push(await bridge.intake.enter({ task, headers, deadlineMs: deadlineMsOf(task, bridge.deadlineMs) }));
      const jobs = arrivals.map(({ job }) => job);
      return store.outside.takeOver(jobs, lettersOf(deps, letters));
    });
    for (const [index, { value: task, headers }] of messages.entries()) {
      if (stored[index] === true) continue;
      const ended = await resultOf(callId(task), deps);
      if (ended !== undefined) await store.outbox.add([toOutbox(ended, codec)]);
      emit("bridge_call_stored", { ...taskIdsOf(task, headers), is_new: false });
    }
    wake();
  }

  async function refuse(letters: readonly DeadLetter[]): Promise<void> {
    for (const { json, changed, headers, reason, channel } of letters) {
      report("bus_message_refused", { channel, because: reason });
      const ids = readIds(json);
      if (ids === undefined) continue;
      const failure =
        isAgentTask(json) && !changed
          ? new AgentFailure("internal", `The task could not be stored: ${reason}`)
          : new AgentFailure("invalid_task", `The task can't be read: ${reason}`);
      const end = { result: failureResult(ids, failure), headers };
      const refused = await deps.database.transaction((transaction) => endUnworked(deps, end, transaction));
      if (refused === undefined) continue;
      const { agentName: agent_name, durationMs: duration_ms } = refused;
      const fields = { ...taskIdsOf({ ...ids, agent_name }, headers), duration_ms };
      emit("bridge_call_refused", { ...fields, attempt: 0, kind: failure.kind, error: failure });
      emit("bridge_call_ended", { ...fields, state: "failed", kind: failure.kind });
    }
  }

  return bus.consume("agent_tasks", { group: "agent-bridge", store: storeTasks });
}

/** Consumes cancellations. One that arrives before its task is stored too; one after the end changes nothing. */
export function consumeCancellations(deps: ConsumeTasksDeps): Promise<Subscription> {
  const { bus, database, bridge, wake, emit: report } = deps;

  async function storeCancellations({ messages, letters }: Fetched<"agent_cancellations">): Promise<void> {
    const ends: (() => void)[] = [];
    await database.transaction(async (transaction) => {
      for (const { value, headers } of messages) {
        const because = value.reason === undefined ? "" : ` ${value.reason}`;
        const failure = new AgentFailure("canceled", `The task was canceled.${because}`);
        const end = { result: failureResult(value, failure), headers };
        const canceled = await endUnworked(deps, end, transaction);
        if (canceled === undefined) continue;
        const { agentName: agent_name, durationMs: duration_ms } = canceled;
        ends.push(() => {
          bridge.drop(callId(value));
          const fields = { state: "canceled", duration_ms, kind: failure.kind };
          bridge.emit("bridge_call_ended", { ...taskIdsOf({ ...value, agent_name }, headers), ...fields });
        });
      }
      for (const letter of lettersOf(deps, letters)) await transaction.executeQuery(letter);
    });
    for (const end of ends) end();
    for (const { channel, reason } of letters) report("bus_message_refused", { channel, because: reason });
    wake();
  }

  return bus.consume("agent_cancellations", { group: "agent-bridge", store: storeCancellations });
}

/** Consumes the results of tasks' calls: ends the calls and notifies the tasks, in whatever process they wait. */
export function consumeTaskResults(
  deps: ConsumeDeps,
  onTaskResult: NonNullable<GatewayRoles["onTaskResult"]>,
): Promise<Subscription> {
  const { bus, store, codec } = deps;
  return bus.consume("agent_results", {
    group: "execution",
    store: async (fetched) => {
      // Other programs may use the same topic. A task's call has the task's id twice.
      const results = resultsOf(fetched).filter(({ run_id, task_id }) => run_id === task_id);
      const ends = results.map((result) => ({
        id: callId(result),
        end: endOf(result, codec),
        // Its task may wait in another process.
        notifies: !onTaskResult(result),
      }));
      await store.outside.end(ends, lettersOf(deps, fetched.letters));
    },
  });
}

/** Consumes the results of steps' calls: each call becomes a job with its result, for a process that advances runs. */
export function consumeRunResults(
  deps: ConsumeDeps,
  enterResult: NonNullable<GatewayRoles["enterResult"]>,
): Promise<Subscription> {
  const { bus, store, codec } = deps;
  return bus.consume("agent_results", {
    group: "workflow",
    store: async (fetched) => {
      const arrivals = resultsOf(fetched).flatMap((result) => {
        const end = endOf(result, codec);
        const entered = enterResult(result, end);
        return entered ? { id: callId(result), end, ...entered } : [];
      });
      await storeArrivals(arrivals, () =>
        store.outside.turn(agentCallKind, arrivals, lettersOf(deps, fetched.letters)),
      );
    },
  });
}

/** Returns the results, and a failure for each whose values would change. */
const resultsOf = ({ messages, letters }: Fetched<"agent_results">): readonly AgentResult[] => [
  ...messages.map(({ value }) => value),
  ...letters.flatMap(({ json, changed, reason }) => {
    const ids = changed ? readIds(json) : undefined;
    if (ids === undefined) return [];
    return failureResult(ids, new AgentFailure("invalid_response", `The result can't be used: ${reason}.`));
  }),
];

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
