import type { ExecutionJobTables } from "@crosszone/agent-calls";
import { storeArrival } from "@crosszone/jobs";
import type { Database } from "@crosszone/sql";
import type { KafkaBus, Subscription } from "../bus/kafka-bus.ts";
import type { DeadLetterTables } from "../database/dead-letters.ts";
import { createEndUnworked, startEndingOverdue } from "./end-calls.ts";
import { createGatewayIntake } from "./gateway-intake.ts";
import type { GatewayOptions, GatewayRoles, KafkaGateway } from "./kafka-gateway.ts";
import { createPublications } from "./publications.ts";
import { shareOf } from "./publish-jobs.ts";
import { consumeCancellations, consumeRunResults, consumeTaskResults, consumeTasks } from "./consume-topics.ts";

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
