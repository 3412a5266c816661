import {
  agentCallJob,
  type CallHeaders,
  callId,
  type CallIntake,
  callRecordOf,
  type ExecutionColumn,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import type { AgentResult } from "@crosszone/contracts";
import { type EndingJob, jobStates, type ProcessJobs } from "@crosszone/jobs";
import type { RecordCodec } from "@crosszone/service-kit";
import type { Database } from "@crosszone/sql";
import { createKafkaBus, type KafkaBusOptions } from "../bus/create-kafka-bus.ts";
import type { BusEmit, KafkaBus, Subscription } from "../bus/kafka-bus.ts";
import { MissingTopicsError } from "../bus/kafka-errors.ts";
import {
  consumeCancellations,
  consumeRunResults,
  consumeTaskResults,
  consumeTasks,
  type GatewayRoles,
} from "./consume-topics.ts";
import { createReplay, type DeadLetterTables } from "./dead-letters.ts";
import { startEndingOverdue, type StoredCalls } from "./end-calls.ts";
import { createPublishing, type Publishing, toOutbox } from "./publish-outbox.ts";

type ZoneTables = ExecutionJobTables & DeadLetterTables;

/** What a gateway works on, besides the bus. */
interface GatewayOptions<Tables extends ZoneTables> {
  /** The zone's database. Stays open when the gateway is closed. */
  readonly database: Database<Tables>;
  /** The jobs of that database. */
  readonly jobs: ProcessJobs<ExecutionColumn>;
  /** Seals what is stored. Topics always have unsealed JSON. */
  readonly codec: RecordCodec;
  /** Reports events; they are ignored when absent. */
  readonly emit?: BusEmit;
}

/**
 * Creates the edge of a process to Kafka, on a bus, which it closes in the end. Calls of the roles `rpc` and `workflow` go out as messages,
 * bridges consume them, and results come back as messages. A message that arrives becomes a job; one that leaves is stored in the outbox with
 * the change that makes it.
 */
export function createGateway<Tables extends ZoneTables>(options: GatewayOptions<Tables>, bus: KafkaBus) {
  const { jobs, codec, emit = () => undefined } = options;
  const { store } = jobs;
  // It uses only these tables.
  const database = options.database as unknown as Database<ZoneTables>;
  const calls = { store, codec };
  const publishing = createPublishing({ ...calls, emit, bus, database });
  let stopEnding = async (): Promise<void> => undefined;
  let subscriptions: readonly Subscription[] = [];

  const consume = ({ bridge, onTaskResult, enterResult }: GatewayRoles): readonly Promise<Subscription>[] => {
    const deps = { ...calls, bus, database };
    const consuming: Promise<Subscription>[] = [];
    if (bridge !== undefined) {
      const both = { ...deps, bridge, emit, wake: publishing.wake };
      consuming.push(consumeCancellations(both), consumeTasks(both));
    }
    if (onTaskResult !== undefined) consuming.push(consumeTaskResults(deps, onTaskResult));
    if (enterResult !== undefined) consuming.push(consumeRunResults(deps, enterResult));
    return consuming;
  };

  /** Consumes no more messages; waits up to `graceMs` milliseconds for those that are being stored. */
  const stop = async (graceMs: number): Promise<void> => {
    await Promise.all(subscriptions.map(({ close }) => close(graceMs)));
  };

  return {
    /** Takes the calls of the roles `rpc` and `workflow`. */
    intake: createGatewayIntake(calls, publishing),

    /**
     * Consumes the topics of this process's roles, and publishes what waits. Rejects when a topic can't be consumed;
     * everything is stopped then.
     */
    start: async (roles: GatewayRoles): Promise<void> => {
      publishing.start();
      stopEnding = startEndingOverdue(store);
      const started = await Promise.allSettled(consume(roles));
      subscriptions = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const refused = started.find((one) => one.status === "rejected");
      if (refused === undefined) return;
      await stop(0);
      throw refused.reason;
    },

    /**
     * Ends a call that this process has leased and publishes its result. Resolves when the end is durable; the message follows,
     * even if the process crashes. Resolves with false when the call was lost: then nothing is stored or published.
     */
    publishResult: async (
      ending: EndingJob<ExecutionColumn>,
      value: AgentResult,
      headers: CallHeaders,
    ): Promise<boolean> => {
      const message = toOutbox({ channel: "agent_results", value, headers }, codec);
      const [isEnded = false] = await store.end([{ ...ending, message }]);
      if (isEnded) publishing.wake();
      return isEnded;
    },

    replay: createReplay(database, bus, codec),
    readQueues: bus.readQueues,
    ping: bus.ping,
    stop,
    /** Publishes what waits within `graceMs` milliseconds, leaves the rest to others, and disconnects. */
    close: async (graceMs = 5_000): Promise<void> => {
      await stop(0);
      await publishing.stop(graceMs);
      await stopEnding();
      await bus.close();
    },
  };
}

export type KafkaGateway = ReturnType<typeof createGateway>;

/** Enqueues calls to be published: a call waits in the table for its result, whatever program calls the agent. */
function createGatewayIntake({ store, codec }: StoredCalls, { wake }: Pick<Publishing, "wake">): CallIntake {
  return {
    enter: async (call) => {
      const { task, headers } = call;
      // The message has its input.
      const job = agentCallJob({ ...call, task: { ...task, input_data: null, files: undefined } }, "waiting", codec);
      const message = toOutbox({ channel: "agent_tasks", value: task, headers }, codec);
      return { job: { ...job, message }, settle: (isStored) => isStored && wake() };
    },

    cancel: async ({ run_id, task_id, correlation_id }, reason) => {
      const call = await store.find(callId({ run_id, task_id }));
      // A run ends the calls that it no longer needs by itself.
      if (call === undefined || (call.state >= jobStates.ended && call.outcome !== "canceled")) return;
      const { headers } = callRecordOf(call);
      const value = { run_id, task_id, correlation_id, timestamp: new Date().toISOString(), reason };
      await store.outbox.add([toOutbox({ channel: "agent_cancellations", value, headers }, codec)]);
      wake();
    },
  };
}

export { createKafkaBus, MissingTopicsError, type GatewayRoles, type KafkaBusOptions };

/**
 * Connects a process to Kafka. Throws a `MissingTopicsError` that names missing topics, and a `BusUnavailableError` when
 * no broker can be reached. Later on, it reconnects automatically.
 */
export async function openKafkaGateway<Tables extends ZoneTables>(
  options: GatewayOptions<Tables> & KafkaBusOptions,
): Promise<KafkaGateway> {
  return createGateway(options, await createKafkaBus(options));
}
