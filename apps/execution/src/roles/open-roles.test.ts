import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { expect, onTestFinished, test } from "vitest";
import { loadExecutionConfig } from "../config/config.ts";
import { openTaskStore } from "../tasks/sql/open-task-store.ts";
import { openRoles } from "./open-roles.ts";

test("dead letters from a time with Kafka are deleted without Kafka, too", async () => {
  const { values: config } = loadExecutionConfig({});
  const logger = createLogger({ zone: "execution", level: "silent", events: executionEvents });
  const { database, jobs } = await openTaskStore();
  const [metrics, health] = [createMetrics(), createHealth()];
  const roles = await openRoles({ config, database, jobs, vault: undefined, logger, metrics, health }, {});
  onTestFinished(async () => {
    await roles.stop(0);
    await roles.close();
    await database.close();
  });
  const letter = { channel: "agent_tasks", key: "key", value: "{}", headers: "{}", consumer_group: "outbox" };
  await database.db
    .insertInto("bus_dead_letter")
    .values({ ...letter, reason: "never", attempts: 1, dead_at: 0 })
    .execute();
  for (const { purge } of roles.purges) await purge(500);
  expect(await database.db.selectFrom("bus_dead_letter").selectAll().execute()).toEqual([]);
});
