import type { KafkaGateway } from "@crosszone/kafka-gateway";
import { loadConfig, type Environment } from "@crosszone/service-kit";
import { commandDatabase, storageOf, type ZoneData } from "@crosszone/service-kit/data";
import { createOwnedData } from "@crosszone/sql";
import { busVariables } from "../config/bus-variables.ts";
import { checkKafka } from "../config/check-kafka.ts";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { connectGateway } from "../roles/open-gateway.ts";
import { openJobs } from "../roles/open-jobs.ts";
import { createBusDeadLetters } from "./bus-dead-letters.ts";
import { executionTables } from "./execution-tables.ts";

/** Opens this zone's data for the data commands, with the zone's own variables. */
export async function openExecutionData(env: Environment): Promise<ZoneData> {
  const { url, at, vault } = storageOf(env, "execution");
  const database = await openExecutionDatabase({ url, ...commandDatabase });
  const { values: kafka } = loadConfig(busVariables, env, checkKafka);
  const jobs = openJobs(database, { leaseMs: 10_000 });
  let gateway: Promise<KafkaGateway> | undefined;
  const connect = (): Promise<KafkaGateway> => (gateway ??= connectGateway(kafka, { database, jobs, vault }));
  return {
    zone: "execution",
    at,
    ...createOwnedData(database, { tables: executionTables, sealer: vault }),
    ...(kafka.KAFKA_BROKERS !== undefined && { deadLetters: createBusDeadLetters(connect) }),
    close: async () => {
      // The command that opened it reported the error.
      await gateway?.then((opened) => opened.close()).catch(() => undefined);
      await database.close();
    },
  };
}
