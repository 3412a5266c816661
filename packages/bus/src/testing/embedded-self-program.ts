import { setTimeout as delay } from "node:timers/promises";
import { createEmbeddedBus } from "../embedded/embedded-bus.ts";
import { contractGroups, taskMessage } from "./bus-under-test.ts";
import { openBusDatabase } from "./open-bus-database.ts";

/** `node embedded-self-program.ts <url>`: publishes to itself, directly and in a transaction, prints what it receives, and never ends. */
const [url = ""] = process.argv.slice(2);
const database = await openBusDatabase(url);
const bus = createEmbeddedBus({ database, groups: contractGroups, leaseMs: 3_000, idlePollMs: 3_600_000 });
await bus.subscribe("agent_tasks", {
  group: "agent-bridge",
  concurrency: 5,
  handle: async ({ value }) => {
    process.stdout.write(`${value.task_id}\n`);
    await new Promise(() => undefined);
  },
});
// Until its first poll.
await delay(500);
await bus.publish([taskMessage("published"), taskMessage("published", "behind")]);
await database.transaction((tx) => bus.outbox.add(tx, [taskMessage("decided")]));
bus.outbox.wake();
