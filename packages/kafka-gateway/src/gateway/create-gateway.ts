import {
  agentCallJob,
  type AgentCallRecord,
  type CallHeaders,
  callId,
  type CallIntake,
  type ExecutionColumn,
  type ExecutionJobTables,
} from "@crosszone/agent-calls";
import type { AgentResult } from "@crosszone/contracts";
import { type EndingJob, jobStates, storeArrival } from "@crosszone/jobs";
import type { Database } from "@crosszone/sql";
import { createKafkaBus, type KafkaBusOptions } from "../bus/create-kafka-bus.ts";
import type { BusMessage, KafkaBus, Subscription } from "../bus/kafka-bus.ts";
import { MissingTopicsError } from "../bus/kafka-errors.ts";
import { consumeCancellations, consumeRunResults, consumeTaskResults, consumeTasks } from "./consume-topics.ts";
import { type DeadLetterTables, messageColumns } from "./dead-letters.ts";
import { type PublishedCalls, startEndingOverdue } from "./end-calls.ts";
import type { GatewayOptions, GatewayRoles } from "./kafka-gateway.ts";
import { createPublications } from "./publications.ts";
import { type MessageRecord, publishKind, shareOf } from "./publish-jobs.ts";

type ZoneTables = ExecutionJobTables & DeadLetterTables;

/**
 * Creates the edge of a process to Kafka, on a bus, which it closes in the end. Calls of the roles `rpc` and `workflow` go out as messages,
 * bridges consume them, and results come back as messages. Messages are published after the commit of the change that makes them: a message
 * is a job with the share `publish <channel>` until Kafka has stored it.
 */
export function createGateway<Tables extends ZoneTables>(options: GatewayOptions<Tables>, bus: KafkaBus) {
  const { jobs, codec, emit = () => undefined } = options;
  const { store } = jobs;
  // It uses only these tables.
  const database = options.database as unknown as Database<ZoneTables>;
  const publications = createPublications({ jobs, codec, emit, database, bus });
  let stopEnding = async (): Promise<void> => undefined;
  let subscriptions: readonly Subscription[] = [];

  const subscribe = ({ bridge, onTaskResult, onRunResult }: GatewayRoles): readonly Promise<Subscription>[] => {
    const deps = { bus, store, codec, publications, emit };
    const consuming: Promise<Subscription>[] = [];
    if (bridge !== undefined)
      consuming.push(consumeCancellations({ ...deps, bridge }), consumeTasks({ ...deps, bridge }));
    if (onTaskResult !== undefined) consuming.push(consumeTaskResults(deps, onTaskResult));
    if (onRunResult !== undefined) consuming.push(consumeRunResults(bus, onRunResult));
    return consuming;
  };

  /** Consumes no more messages; waits up to `graceMs` milliseconds for those that are being stored. */
  const stop = async (graceMs: number): Promise<void> => {
    await Promise.all(subscriptions.map(({ close }) => close(graceMs)));
  };

  return {
    /** Takes the calls of the roles `rpc` and `workflow`. */
    intake: createGatewayIntake({ store, publications, codec }),

    /**
     * Consumes the topics of this process's roles, and publishes what waits. Rejects when a topic can't be consumed;
     * everything is stopped then.
     */
    start: async (roles: GatewayRoles): Promise<void> => {
      publications.start();
      stopEnding = startEndingOverdue(store);
      const started = await Promise.allSettled(subscribe(roles));
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
    publishResult: (
      { leaseId, end }: EndingJob<ExecutionColumn>,
      result: AgentResult,
      headers: CallHeaders,
    ): Promise<boolean> => {
      const message = { channel: "agent_results", value: result, headers } as const;
      const { as, ...arrival } = publications.enter(leaseId, message);
      return storeArrival(arrival, () => store.passOn(leaseId, end, { share: shareOf("agent_results"), as }));
    },

    deadLetters: bus.deadLetters,
    readQueues: bus.readQueues,
    ping: bus.ping,
    stop,
    /** Publishes its leased messages within `graceMs` milliseconds, leaves the rest to others, and disconnects. */
    close: async (graceMs = 5_000): Promise<void> => {
      await stop(0);
      await publications.stop(graceMs);
      await stopEnding();
      await bus.close();
    },
  };
}

export type KafkaGateway = ReturnType<typeof createGateway>;

/** Enqueues calls to be published: a call waits in the table for its result, whatever program calls the agent. */
function createGatewayIntake({ store, publications, codec }: PublishedCalls): CallIntake {
  return {
    enter: async (call) => {
      const message = { channel: "agent_tasks", value: call.task, headers: call.headers } as const;
      const { as, settle } = publications.enter({ id: callId(call.task), attempt: 1 }, message);
      return { job: { ...agentCallJob(call, as, codec), share: shareOf("agent_tasks") }, settle };
    },

    cancel: async ({ run_id, task_id, correlation_id }, reason) => {
      const id = callId({ run_id, task_id });
      const call = await store.find(id);
      // A run ends the calls that it no longer needs by itself.
      if (call === undefined || (call.state >= jobStates.ended && call.outcome !== "canceled")) return;
      const { headers } = JSON.parse(call.record) as AgentCallRecord;
      const value = { run_id, task_id, correlation_id, timestamp: new Date().toISOString(), reason };
      await addMessage(id, { channel: "agent_cancellations", value, headers });
    },
  };

  async function addMessage(callOf: string, message: BusMessage): Promise<void> {
    const { key, value, team } = messageColumns(message, codec);
    const record: MessageRecord = { key, headers: message.headers ?? {} };
    const job = {
      id: `cancellation ${callOf}`,
      kind: publishKind,
      share: shareOf(message.channel),
      team,
      record: JSON.stringify(record),
      input: value,
    };
    const { as, ...arrival } = publications.enter({ id: job.id, attempt: 1 }, message);
    await storeArrival(arrival, () => store.add({ ...job, as }));
  }
}

export { createKafkaBus, MissingTopicsError, type GatewayRoles, type KafkaBusOptions };

/**
 * Connects a process to Kafka. Throws a `MissingTopicsError` that names missing topics, and a `BusUnavailableError` when
 * no broker can be reached. Later on, it reconnects automatically.
 */
export async function openGateway<Tables extends ZoneTables>(
  options: GatewayOptions<Tables> & KafkaBusOptions,
): Promise<KafkaGateway> {
  return createGateway(options, await createKafkaBus(options));
}
