import { type ChannelName, consumerGroups, type KafkaGateway } from "@crosszone/kafka-gateway";
import { createAppendAudit } from "@crosszone/audit";
import { createRecordCodec, type Environment, loadConfig } from "@crosszone/service-kit";
import { commandDatabase, storageOf, type ZoneData } from "@crosszone/ops/data";
import { createOwnedData } from "@crosszone/sql";
import { gatewayVariables } from "../../config/process-variables.ts";
import { kafkaProblems } from "../../config/kafka-properties.ts";
import { type ExecutionDatabase, openExecutionDatabase, openJobs } from "../../database/open-execution-database.ts";
import { connectGateway } from "../../roles/open-gateway.ts";
import { zoneActor } from "../../inputs/input-acts.ts";
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
    ...withActs(createOwnedData(database, { tables: executionTables, sealer: vault }), database),
    ...(kafka.KAFKA_BROKERS !== undefined && { deadLetters: createBusDeadLetters(connect) }),
    close: async () => {
      // The command that opened it reported the error.
      await gateway?.then((opened) => opened.close()).catch(() => undefined);
      await database.close();
    },
  };
}

type OwnedData = Pick<ZoneData, "count" | "rows" | "purge" | "reseal">;

/** What operators do to the data is in the audit log before it begins. */
function withActs({ count, rows, purge, reseal }: OwnedData, { db, engine }: ExecutionDatabase): OwnedData {
  const append = createAppendAudit({ engine, codec: createRecordCodec(undefined) });
  const did = (action: string, id: string) =>
    append(db, [{ ...zoneActor, action, outcome: "done", target: { type: "team", id }, at: Date.now() }]);
  return {
    count,
    rows: async function* (team) {
      await did("data.export", team);
      yield* rows(team);
    },
    purge: async (team) => {
      await did("data.purge", team);
      return purge(team);
    },
    reseal: async () => {
      await did("data.reseal", "*");
      return reseal();
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
