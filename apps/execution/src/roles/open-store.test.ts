import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { sql } from "kysely";
import { expect, onTestFinished, test } from "vitest";
import { loadExecutionConfig } from "../config/config.ts";
import { openStore } from "./open-store.ts";

test("the zone is not ready while its store answers reads but refuses writes", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "crosszone-store-"));
  onTestFinished(() => rmSync(dataDir, { recursive: true }));
  const { values } = loadExecutionConfig({ DATA_DIR: dataDir });
  const logger = createLogger({ zone: "execution", level: "silent", events: executionEvents });
  const health = createHealth();
  const { database } = await openStore(values, { logger, health, metrics: createMetrics() });
  onTestFinished(() => database.close());
  expect(await health.ready()).toMatchObject({ ready: true });
  await sql`pragma query_only = on`.execute(database.db);
  await database.ping();
  expect(await health.ready()).toMatchObject({ ready: false, checks: { database: { ok: false } } });
  await sql`pragma query_only = off`.execute(database.db);
  expect(await health.ready()).toMatchObject({ ready: true });
});
