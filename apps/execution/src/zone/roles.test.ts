import type { AgentRecord } from "@crosszone/contracts";
import { createHealth, createLogger, createMetrics } from "@crosszone/service-kit";
import { executionEvents } from "@crosszone/telemetry";
import { sql } from "kysely";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { loadExecutionConfig } from "./config/config.ts";
import { openTaskStore } from "../tasks/store/task-store.ts";
import { reportMovedAgents } from "./open-agents.ts";
import { createZoneEmit, openStore } from "./open-store.ts";
import { openRoles, watchOverdueRuns } from "./open-roles.ts";

const minute = 60_000;

const silent = createLogger({ zone: "execution", level: "silent", events: executionEvents });

test("R10.5: an agent whose file moves it to a failing protocol is reported, and keeps its old protocol", async () => {
  const logged: object[] = [];
  const report = async (protocol: string, failedChecks: () => Promise<{ id: string; title: string }[]>) => {
    await reportMovedAgents(["gone", "A"], {
      find: async (name) => (name === "A" ? ({ id: "1", name, protocol } as AgentRecord) : undefined),
      failedChecks,
      emit: (event, ...[fields]) => void logged.push({ event, ...fields }),
      signal: new AbortController().signal,
    });
    return logged.splice(0);
  };
  const failing = async () => [
    { id: "id-echoed", title: "" },
    { id: "card", title: "" },
  ];
  const [event, agent_name] = ["agent_not_compliant", "A"];
  expect(await report("a2a-1.0", failing)).toEqual([
    { event, agent_name, because: "fails checks of a2a-1.0: id-echoed, card" },
  ]);
  expect(await report("a2a-1.0", async () => [])).toEqual([]);
  expect(await report("auto", failing)).toEqual([]);
  const cause = new Error("broken");
  expect(await report("a2a-1.0", () => Promise.reject(cause))).toEqual([
    { event, agent_name, because: "it could not be checked", cause },
  ]);
});

test("dead letters from a time with Kafka are deleted without Kafka, too", async () => {
  const { values: config } = loadExecutionConfig({});
  const { database, jobs } = await openTaskStore();
  const [metrics, health] = [createMetrics(), createHealth()];
  const emit = createZoneEmit({ logger: silent, metrics });
  const roles = await openRoles({ config, environment: {}, database, jobs, metrics, health, emit });
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

test("the zone is not ready while its store answers reads but refuses writes", async () => {
  const dataDir = tempFolder();
  const { values } = loadExecutionConfig({ DATA_DIR: dataDir });
  const health = createHealth();
  const { database } = await openStore(values, { emit: () => undefined, health, metrics: createMetrics() });
  onTestFinished(() => database.close());
  expect(await health.ready()).toMatchObject({ ready: true });
  await sql`pragma query_only = on`.execute(database.db);
  await database.ping();
  expect(await health.ready()).toMatchObject({ ready: false, checks: { database: { ok: false } } });
  await sql`pragma query_only = off`.execute(database.db);
  expect(await health.ready()).toMatchObject({ ready: true });
});

test("overdue runs are logged as an error: at once, every ten minutes, and again after they progressed", async () => {
  const lines: Record<string, unknown>[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) };
  const logger = createLogger({ zone: "execution", level: "info", events: executionEvents, destination });
  let at = 0;
  let oldestDueMs: number | undefined = 0;
  const readings = async () => {
    if (oldestDueMs === undefined) throw new Error("the database is away");
    return { oldestDueMs, open: 3 };
  };
  const overdue = watchOverdueRuns(readings, createZoneEmit({ logger, metrics: createMetrics() }), () => at);
  const saidAfter = async (minutes: number, late: number | undefined): Promise<number> => {
    [at, oldestDueMs] = [minutes * minute, late];
    await overdue.check();
    return lines.length;
  };
  expect(await saidAfter(0, 29_999)).toBe(0);
  expect(await saidAfter(1, 30_000)).toBe(1);
  expect(lines[0]).toMatchObject({ level: "error", event: "runs_overdue", oldest_due_ms: 30_000, open: 3 });
  expect(await saidAfter(10, 9 * minute)).toBe(1);
  expect(await saidAfter(11, undefined)).toBe(1);
  expect(await saidAfter(11, 10 * minute)).toBe(2);
  expect(await saidAfter(12, 0)).toBe(2);
  expect(await saidAfter(13, minute)).toBe(3);
});
