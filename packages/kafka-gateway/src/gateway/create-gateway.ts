import {
  type ExecutionJobTables,
  agentCallJob,
  callId,
  type AgentCallRecord,
  type CallIntake,
} from "@crosszone/agent-calls";
import { storeArrival, jobStates } from "@crosszone/jobs";
import type { Database } from "@crosszone/sql";
import type { KafkaBus, Subscription } from "../bus/kafka-bus.ts";
import { type DeadLetterTables, messageColumns } from "../database/dead-letters.ts";
import { createEndUnworked, startEndingOverdue, type PublishedCalls } from "./end-calls.ts";
import type { GatewayOptions, GatewayRoles, KafkaGateway } from "./kafka-gateway.ts";
import { createPublications } from "./publications.ts";
import { shareOf, publishKind, type MessageRecord } from "./publish-jobs.ts";
import { consumeCancellations, consumeRunResults, consumeTaskResults, consumeTasks } from "./consume-topics.ts";
import type { BusMessage } from "../bus/bus-message.ts";

type ZoneTables = ExecutionJobTables & DeadLetterTables;
type JobsOptions<Tables extends ZoneTables> = Pick<GatewayOptions<Tables>, "jobs" | "codec" | "database" | "emit">;

/** Creates a gateway on a bus, which it closes in the end. */
export function createGateway<Tables extends ZoneTables>(options: JobsOptions<Tables>, bus: KafkaBus): KafkaGateway {
  const { jobs, codec, emit = () => undefined } = options;
  const { store } = jobs;
  // It uses only these tables.
  const database = options.database as unknown as Database<ZoneTables>;
  const publications = createPublications({ jobs, codec, emit, database, bus });
  const endUnworked = createEndUnworked({ store, codec, publications });
  let stopEnding = async (): Promise<void> => undefined;
  let subscriptions: readonly Subscription[] = [];

  const subscribe = ({ bridge, onTaskResult, onRunResult }: GatewayRoles): readonly Promise<Subscription>[] => {
    const deps = { bus, store, codec, publications, endUnworked, emit };
    return [
      ...(bridge === undefined ? [] : [consumeCancellations({ ...deps, bridge }), consumeTasks({ ...deps, bridge })]),
      ...(onTaskResult === undefined ? [] : [consumeTaskResults(deps, onTaskResult)]),
      ...(onRunResult === undefined ? [] : [consumeRunResults(bus, onRunResult)]),
    ];
  };

  const stop = async (graceMs: number): Promise<void> => {
    await Promise.all(subscriptions.map(({ close }) => close(graceMs)));
  };

  return {
    intake: createGatewayIntake({ store, publications, codec }),

    start: async (roles) => {
      publications.start();
      stopEnding = startEndingOverdue(store);
      const started = await Promise.allSettled(subscribe(roles));
      subscriptions = started.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const refused = started.find((one) => one.status === "rejected");
      if (refused === undefined) return;
      await stop(0);
      throw refused.reason;
    },

    publishResult: ({ leaseId, end }, result, headers) => {
      const message = { channel: "agent_results", value: result, headers } as const;
      const { as, ...arrival } = publications.enter(leaseId, message);
      return storeArrival(arrival, () => store.passOn(leaseId, end, { share: shareOf("agent_results"), as }));
    },

    deadLetters: bus.deadLetters,
    readQueues: bus.readQueues,
    ping: bus.ping,
    stop,
    close: async (graceMs = 5_000) => {
      await stop(0);
      await publications.stop(graceMs);
      await stopEnding();
      await bus.close();
    },
  };
}

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
