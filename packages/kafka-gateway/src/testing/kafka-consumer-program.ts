import { createKafkaBus } from "../bus/create-kafka-bus.ts";

/** `node kafka-consumer-program.ts <settings>`: takes tasks, prints the key of each, and never stores one. For a process to be killed. */
const [, , settings = "{}"] = process.argv;
const given = JSON.parse(settings) as { readonly brokers: readonly string[]; readonly sessionMs: number };
const bus = await createKafkaBus({ ...given, clientId: "standing" });
await bus.consume("agent_tasks", {
  group: "agent-bridge",
  store: async ({ messages }) => {
    for (const { value } of messages) process.stdout.write(`${value.task_id}\n`);
    await new Promise((resolve) => setTimeout(resolve, 3_600_000));
  },
});
