import { appendFileSync } from "node:fs";
import { setTimeout as delay } from "node:timers/promises";
import { createEmbeddedBus } from "../embedded/embedded-bus.ts";
import { contractGroups } from "./bus-under-test.ts";
import { openBusDatabase } from "./open-bus-database.ts";

/** `node embedded-worker-program.ts <url> <file>`: writes each handled task to a file, one line each, until it is killed. */
const [url = "", file = ""] = process.argv.slice(2);
const database = await openBusDatabase(url);
const bus = createEmbeddedBus({ database, groups: contractGroups, leaseMs: 1_500 });
await bus.subscribe("agent_tasks", {
  group: "agent-bridge",
  concurrency: 5,
  handle: async ({ value }) => {
    await delay(Math.random() * 10);
    appendFileSync(file, `${value.task_id} ${String(value.input_data)}\n`);
  },
});
appendFileSync(file, "started\n");
