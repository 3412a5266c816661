import type { MessageBus } from "@crosszone/bus";
import { loadConfig, type Environment } from "@crosszone/service-kit";
import { commandDatabase, storageOf, type ZoneData } from "@crosszone/service-kit/data";
import { createOwnedData } from "@crosszone/sql";
import { busVariables } from "../config/bus-variables.ts";
import { checkKafka } from "../config/check-kafka.ts";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { connectBus } from "../roles/open-bus.ts";
import { createBusDeadLetters } from "./bus-dead-letters.ts";
import { executionTables } from "./execution-tables.ts";

/** Opens this zone's data for the data commands, with the zone's own variables. */
export async function openExecutionData(env: Environment): Promise<ZoneData> {
  const { url, at, vault } = storageOf(env, "execution");
  const database = await openExecutionDatabase({ url, ...commandDatabase });
  let bus: Promise<MessageBus> | undefined;
  const connect = (): Promise<MessageBus> =>
    (bus ??= connectBus(loadConfig(busVariables, env, checkKafka).values, { database, vault }));
  return {
    zone: "execution",
    at,
    ...createOwnedData(database, { tables: executionTables, sealer: vault }),
    deadLetters: createBusDeadLetters(connect),
    close: async () => {
      // The command that opened it reported the error.
      await bus?.then((opened) => opened.close()).catch(() => undefined);
      await database.close();
    },
  };
}
