import { ConfigError, createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import type { ExecutionConfig } from "../config.ts";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { executionEvents } from "../log-events.ts";
import { openBus } from "../roles/open-bus.ts";
import type { TryKafka } from "./check-kafka-answers.ts";

/**
 * Opens and closes the configured bus with a temporary database. Creates no topics; returns whether any are missing.
 */
export async function tryKafka(config: ExecutionConfig): ReturnType<TryKafka> {
  const database = await openExecutionDatabase({ url: "sqlite::memory:" });
  try {
    const logger = createLogger({ zone: "execution", level: "silent", events: executionEvents });
    const parts = { database, vault: undefined, logger, metrics: createMetrics(), health: createHealth() };
    const bus = await openBus({ ...parts, config: { ...config, KAFKA_CREATE_TOPICS: false } });
    await bus.close();
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
