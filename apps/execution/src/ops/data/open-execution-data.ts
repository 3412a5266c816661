import { type ChannelName, consumerGroups, type KafkaGateway } from "@crosszone/kafka-gateway";
import { auditData } from "@crosszone/audit";
import { type Environment, loadConfig } from "@crosszone/service-kit";
import { commandDatabase, storageOf, type ZoneData } from "@crosszone/ops/data";
import { createOwnedData } from "@crosszone/sql";
import { gatewayVariables } from "../../config/process-variables.ts";
import { kafkaProblems } from "../../config/kafka-properties.ts";
import { openExecutionDatabase, openJobs } from "../../database/open-execution-database.ts";
import { connectGateway } from "../../roles/open-gateway.ts";
import { executionTables } from "./execution-tables.ts";

/** Opens this zone's data for the data commands, with the zone's own variables. */
export async function openExecutionData(env: Environment): Promise<ZoneData> {
  const { url, at, vault } = storageOf(env, "execution");
  const database = await openExecutionDatabase({ url, ...commandDatabase });
  const { values: kafka } = loadConfig(gatewayVariables, env, kafkaProblems);
  const jobs = openJobs(database, { leaseMs: 10_000 });
  let gateway: Promise<KafkaGateway> | undefined;
  const connect = (): Promise<KafkaGateway> => (gateway ??= connectGateway(kafka, { database, jobs, vault }));
  return {
    zone: "execution",
    at,
    ...auditData(createOwnedData(database, { tables: executionTables, sealer: vault }), "execution", database),
    ...(kafka.KAFKA_BROKERS !== undefined && { deadLetters: createBusDeadLetters(connect) }),
    close: async () => {
      // The command that opened it reported the error.
      await gateway?.then((opened) => opened.close()).catch(() => undefined);
      await database.close();
    },
  };
}

/**
 * Returns the dead letters of all channels. A dead letter's name is its channel, a slash and its id. Calls `connect` on
 * first use.
 */
function createBusDeadLetters(connect: () => Promise<KafkaGateway>): NonNullable<ZoneData["deadLetters"]> {
  const all = Object.keys(consumerGroups) as ChannelName[];
  return {
    list: async (most) => {
      const { deadLetters } = await connect();
      const kept = await Promise.all(all.map((channel) => deadLetters.list(channel, most)));
      return kept.flat().map(({ channel, id, group, at, attempts, reason }) => ({
        id: `${channel}/${id}`,
        group,
        age_ms: Math.max(0, Date.now() - at),
        attempts,
        why: reason,
      }));
    },
    replay: async (named) => {
      const { deadLetters } = await connect();
      const [name, id = ""] = named.split("/");
      const chosen = all.filter((channel) => named === "all" || channel === name);
      const counts = await Promise.all(
        chosen.map((channel) => deadLetters.replay(channel, named === "all" ? "all" : [id])),
      );
      return counts.reduce((sum, count) => sum + count, 0);
    },
  };
}
