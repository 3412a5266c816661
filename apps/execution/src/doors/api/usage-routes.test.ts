import { startAdminApi } from "@crosszone/admin-api/testing";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../../store/open-execution-database.ts";
import { createSqlUsageReader } from "../../usage/sql-usage-reader.ts";
import { createSqlUsage } from "../../usage/sql-usage.ts";
import { createUsageRoutes } from "./task-routes.ts";

const call = { input: 90, output: 10, cached: 0, tokens: 100, cost: 0.5, estimated: false, model: "anthropic/m" };

async function start() {
  const database = await openExecutionDatabase({ url: "sqlite::memory:" });
  onTestFinished(() => database.close());
  const budgets = [{ scope: "person", period: "month", unit: "usd", limit: 2_000_000 }] as const;
  const deps = { budgets, now: () => new Date() };
  const payer = { task_id: "t", team: "team", person: "U1", channel: "C1", agent: "assistant" };
  await (await createSqlUsage(database, deps).reserve(payer, call, () => undefined)).recordUse(call);
  const usage = createSqlUsageReader(database, deps);
  return startAdminApi({ parts: [createUsageRoutes(usage, deps.now)] });
}

test("the usage of this month is grouped by model by default", async () => {
  const { ask } = await start();
  const { status, body } = await ask("GET /usage");
  const month = new Date().toISOString().slice(0, 7);
  expect(status).toBe(200);
  expect(body).toMatchObject({ by: "model", since: `${month}-01T00:00:00.000Z`, total: 1 });
  expect(body).toMatchObject({ groups: [{ key: "anthropic/m", sum: { calls: 1, cost: 0.5 } }], sum: { calls: 1 } });
  const october = await ask("GET /usage?until=2025-11-01T00:00:00Z");
  expect(october.body).toMatchObject({ since: "2025-10-01T00:00:00.000Z", until: "2025-11-01T00:00:00.000Z" });
  expect((await ask("GET /usage?until=0000-01-01T00:00:00")).status).toBe(400);
  expect((await ask("GET /usage?until=0000-01-01T00:00:01")).body).toMatchObject({ since: "0000-01-01T00:00:00.000Z" });
  const of2025 = "since=2025-12-31T23:00:00-01:00&until=2026-01-01T00:00:00.5";
  expect((await ask(`GET /usage?by=person&${of2025.replace("+", "%2B")}`)).body).toMatchObject({
    since: "2026-01-01T00:00:00.000Z",
    until: "2026-01-01T00:00:00.500Z",
    groups: [],
    sum: { calls: 0, cost: null },
  });
});

test("budgets are listed with their current usage", async () => {
  const { ask } = await start();
  expect((await ask("GET /usage/budgets")).body).toMatchObject({
    budgets: [{ scope: "person", period: "month", unit: "usd", limit: 2, used: 0.5, subject: "U1" }],
  });
});
