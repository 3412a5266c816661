import { createKafkaBus } from "../bus/create-kafka-bus.ts";
import type { KafkaBus } from "../bus/kafka-bus.ts";

/** Takes tasks, prints the key of each, and never finishes one. For a process to be killed. */
async function runStandingConsumer(bus: KafkaBus): Promise<void> {
  await bus.subscribe("agent_tasks", {
    group: "agent-bridge",
    concurrency: 3,
    handle: async ({ value }) => {
      process.stdout.write(`${value.task_id}\n`);
      await new Promise((resolve) => setTimeout(resolve, 3_600_000));
    },
  });
}

/** `node kafka-consumer-program.ts <settings>`: a consumer process of a Kafka bus, to be killed. */
const [, , settings = "{}"] = process.argv;
const given = JSON.parse(settings) as { readonly brokers: readonly string[]; readonly sessionMs: number };
await runStandingConsumer(await createKafkaBus({ ...given, clientId: "standing" }));
