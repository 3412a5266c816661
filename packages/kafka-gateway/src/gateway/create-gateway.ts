import type { ExecutionJobTables } from "@crosszone/jobs";
import type { Database } from "@crosszone/sql";
import type { KafkaBus, Subscription } from "../bus/kafka-bus.ts";
import type { DeadLetterTables } from "../database/dead-letter-table.ts";
import { startEndingOverdue } from "./end-overdue.ts";
import { endWithoutWork, type EndUnworked } from "./end-without-work.ts";
import { createGatewayIntake } from "./gateway-intake.ts";
import type { GatewayOptions } from "./gateway-options.ts";
import { createGatewayRows } from "./gateway-rows.ts";
import type { GatewayRoles, KafkaGateway } from "./kafka-gateway.ts";
import { createPublications } from "./publications.ts";
import { takeInCancellations } from "./take-in-cancellations.ts";
import { takeInRunResults, takeInTaskResults } from "./take-in-results.ts";
import { takeInTasks } from "./take-in-tasks.ts";

type ZoneTables = ExecutionJobTables & DeadLetterTables;
type JobsOptions<Tables extends ZoneTables> = Pick<
  GatewayOptions<Tables>,
  "store" | "lease" | "codec" | "database" | "observer" | "jobObserver"
>;

/** Creates a gateway on a bus, which it closes in the end. */
export function createGateway<Tables extends ZoneTables>(options: JobsOptions<Tables>, bus: KafkaBus): KafkaGateway {
  const { store, lease, codec } = options;
  // It uses only these tables.
  const database = options.database as unknown as Database<ZoneTables>;
  const rows = createGatewayRows({ database, lease, codec });
  const publications = createPublications({ ...options, database, bus, rows });
  let stopEnding = async (): Promise<void> => undefined;
  let subscriptions: readonly Subscription[] = [];

  const endUnworked: EndUnworked = async (ids, result, headers) => {
    const { as, stored, notStored } = publications.enter("agent_results");
    const owner = as === "leased" ? lease.owner : undefined;
    const ended = await endWithoutWork({ database, codec }, ids, { result, headers, owner }).catch((error: unknown) => {
      notStored();
      throw error;
    });
    if (ended === undefined) notStored();
    else stored(ended.held, { channel: "agent_results", value: result, headers: ended.headers });
    return ended;
  };

  const subscribe = ({ bridge, onTaskResult, onRunResult }: GatewayRoles): readonly Promise<Subscription>[] => {
    const deps = { bus, rows, publications, endUnworked, onRefused: options.observer?.refused };
    return [
      ...(bridge === undefined ? [] : [takeInCancellations({ ...deps, bridge }), takeInTasks({ ...deps, bridge })]),
      ...(onTaskResult === undefined ? [] : [takeInTaskResults(bus, rows, onTaskResult)]),
      ...(onRunResult === undefined ? [] : [takeInRunResults(bus, onRunResult)]),
    ];
  };

  const stop = async (graceMs: number): Promise<void> => {
    await Promise.all(subscriptions.map(({ close }) => close(graceMs)));
  };

  return {
    intake: createGatewayIntake({ database, store, publications, codec }),

    start: async (roles) => {
      publications.start();
      stopEnding = startEndingOverdue(database);
      const asked = await Promise.allSettled(subscribe(roles));
      subscriptions = asked.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
      const refused = asked.find((one) => one.status === "rejected");
      if (refused === undefined) return;
      await stop(0);
      throw refused.reason;
    },

    publishResult: async (ending, result, headers) => {
      const { as, stored, notStored } = publications.enter("agent_results");
      let isHeld = false;
      try {
        isHeld = await rows.toResult(ending, as);
      } finally {
        if (!isHeld) notStored();
      }
      if (isHeld) stored(ending.held, { channel: "agent_results", value: result, headers });
      return isHeld;
    },

    deadLetters: bus.deadLetters,
    readQueues: bus.readQueues,
    ping: bus.ping,
    wake: publications.wake,
    lose: publications.lose,
    stop,
    close: async (graceMs = 5_000) => {
      await stop(0);
      await publications.stop(graceMs);
      await stopEnding();
      await bus.close();
    },
  };
}
