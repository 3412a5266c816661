import { ConfigError } from "@crosszone/service-kit";
import type { ExecutionConfig } from "../config.ts";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { connectGateway } from "../roles/open-gateway.ts";
import { openJobs } from "../roles/open-jobs.ts";
import type { TryKafka } from "./check-kafka-answers.ts";

/**
 * Connects to Kafka once, with a temporary database. Creates no topics; returns whether any are missing.
 */
export async function tryKafka(config: ExecutionConfig): ReturnType<TryKafka> {
  const database = await openExecutionDatabase({ url: "sqlite::memory:" });
  try {
    const jobs = openJobs(database, { leaseMs: 10_000 });
    const gateway = await connectGateway(
      { ...config, KAFKA_CREATE_TOPICS: false },
      { database, jobs, vault: undefined },
    );
    await gateway.close();
    return "all topics exist";
  } catch (error) {
    const [problem] = error instanceof ConfigError ? error.problems : [];
    if (config.KAFKA_CREATE_TOPICS && problem?.name === "KAFKA_CREATE_TOPICS")
      return "the zone creates the missing topics";
    throw error;
  } finally {
    await database.close();
  }
}
