import { ConfigError } from "@crosszone/service-kit";
import { type Check, failed, passed, skipped } from "@crosszone/ops/doctor";
import type { ExecutionConfig } from "../../config/config.ts";
import { openExecutionDatabase } from "../../database/open-execution-database.ts";
import { openJobs } from "../../database/open-jobs.ts";
import { connectGateway } from "../../roles/open-gateway.ts";

/**
 * Connects to Kafka once, with a temporary database. Creates no topics; returns whether any are missing.
 */
export async function tryKafka(config: ExecutionConfig): ReturnType<TryKafka> {
  const database = await openExecutionDatabase({ url: "sqlite::memory:" });
  try {
    const jobs = openJobs(database, { leaseMs: 10_000 });
    const gateway = await connectGateway(config, { database, jobs, vault: undefined, createsTopics: false });
    await gateway.close();
    return "all topics exist";
  } catch (error) {
    if (error instanceof Error && error.name === "MissingTopicsError") return "execution creates the missing topics";
    throw error;
  } finally {
    await database.close();
  }
}

/**
 * Connects to Kafka as the zone does, without creating topics. Rejects with the `ConfigError` that would end the
 * zone.
 */
export type TryKafka = () => Promise<"all topics exist" | "execution creates the missing topics">;

/** Checks that the brokers accept this zone's credentials and that its topics exist. */
export function checkKafkaAnswers(brokers: readonly string[] | undefined, tryIt: TryKafka): Check {
  return {
    name: "kafka",
    reads: ["KAFKA_BROKERS", "KAFKA_PROPERTIES_FILE"],
    run: async () => {
      if (brokers === undefined) return skipped("KAFKA_BROKERS is not set: agent calls stay in the database");
      try {
        return passed(`${brokers.join(", ")}: connected; ${await tryIt()}`);
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return failed("Kafka can't be used", ...error.problems.map(({ name, wrong }) => `${name} ${wrong}.`));
      }
    },
  };
}
