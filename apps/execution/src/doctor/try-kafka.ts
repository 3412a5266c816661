import { ConfigError, createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import type { ExecutionConfig } from "../config.ts";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { executionEvents } from "../log-events.ts";
import { openBus } from "../roles/open-bus.ts";
import type { TryKafka } from "./check-kafka-answers.ts";

/** Opens the bus that the variables name, on a database of its own, and closes it. Makes no topic: a missing one is told. */
export async function tryKafka(config: ExecutionConfig): ReturnType<TryKafka> {
  const database = await openExecutionDatabase({ url: "sqlite::memory:" });
  try {
    const logger = createLogger({ zone: "execution", level: "silent", events: executionEvents });
    const parts = { database, vault: undefined, logger, metrics: createMetrics(), health: createHealth() };
    const bus = await openBus({ ...parts, config: { ...config, KAFKA_CREATE_TOPICS: false } });
    await bus.close();
    return "has its topics";
  } catch (error) {
    const [problem] = error instanceof ConfigError ? error.problems : [];
    if (config.KAFKA_CREATE_TOPICS && problem?.name === "KAFKA_CREATE_TOPICS") return "will have its topics made";
    throw error;
  } finally {
    await database.close();
  }
}
