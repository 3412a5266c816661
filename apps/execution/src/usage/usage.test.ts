// suite: both
import type { CallRecord } from "@crosszone/assistant";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../store/open-execution-database.ts";
import { type Budget, nearlyUsedSentence, parseBudget, periodName, type TaskPayer, usedUpSentence } from "./budget.ts";
import { createSqlUsage } from "./sql-usage.ts";

const call = (input: number, output: number, estimated = true): CallRecord => ({
  model: "anthropic/m",
  input,
  output,
  cached: 0,
  tokens: input + output,
  cost: (input + output) / 1_000,
  estimated,
});
const ann: TaskPayer = { task_id: "t1", team: "team", person: "U1", channel: "C1", agent: "assistant" };

onBothEngines("the use of language models", (newDatabase) => {
  async function open(url: string, ...texts: string[]) {
    const database = await openExecutionDatabase({ url });
    onTestFinished(() => database.close());
    const clock = { now: new Date("2026-11-21T10:00:00Z") };
    const budgets = texts.flatMap((text) => parseBudget(text) ?? []);
    expect(budgets).toHaveLength(texts.length);
    const usage = createSqlUsage(database, { budgets, now: () => clock.now });
    const notes: string[] = [];
    const reserve = (payer: TaskPayer, most: CallRecord) => usage.reserve(payer, most, (note) => notes.push(note));
    const calls = () => database.db.selectFrom("model_call").selectAll().orderBy("at").execute();
    const used = async () => {
      const rows = await database.db.selectFrom("budget_use").select(["scope", "used"]).execute();
      return Object.fromEntries(rows.map(({ scope, used: amount }) => [scope, amount]));
    };
    return { clock, reserve, calls, used, notes };
  }

  test("U1, Q34: a call is recorded at its maximum before it is made, and at its usage afterwards", async () => {
    const { reserve, calls } = await open(await newDatabase());
    const reserved = await reserve(ann, call(100, 50));
    const who = { task_id: "t1", team: "team", person: "U1", channel: "C1", agent: "assistant", model: "anthropic/m" };
    expect(await calls()).toMatchObject([{ ...who, input_tokens: 100, cost: 150_000, estimated: 1, ended_at: null }]);
    await reserved.recordUse({ ...call(90, 7, false), cached: 40, cost: null });
    const settled = { input_tokens: 90, output_tokens: 7, cached_tokens: 40, cost: null, estimated: 0 };
    const [ended] = await calls();
    expect(ended).toMatchObject(settled);
    expect(Number(ended?.ended_at)).toBeGreaterThanOrEqual(Number(ended?.at));
  });

  test("U2: a full budget refuses without a record; other people and later days have their own budgets", async () => {
    const { clock, reserve, calls, used } = await open(await newDatabase(), "person/day=200tokens", "team/month=1usd");
    await (await reserve(ann, call(100, 50))).recordUse(call(100, 20, false));
    await expect(reserve(ann, call(60, 30))).rejects.toMatchObject({
      reason: "budget",
      sentence: expect.stringMatching(/^Your budget .*, 200 tokens a day, .* resets on 22 November at 00:00 UTC\.$/),
    });
    await expect(reserve(ann, call(600, 0))).rejects.toMatchObject({ reason: "budget" });
    expect(await calls()).toHaveLength(1);
    expect(await used()).toEqual({ person: 120, team: 120_000 });
    await reserve({ ...ann, person: "U2" }, call(60, 30));
    clock.now = new Date("2026-11-22T00:00:00Z");
    await reserve(ann, call(60, 30));
    expect(await calls()).toHaveLength(3);
  });

  test("a call whose process crashes counts at its reservation", async () => {
    const url = await newDatabase();
    await (await open(url, "agent/day=200tokens")).reserve(ann, call(100, 50));
    const next = await open(url, "agent/day=200tokens");
    await expect(next.reserve(ann, call(40, 20))).rejects.toMatchObject({ reason: "budget" });
    await next.reserve(ann, call(40, 10));
    expect(await next.used()).toEqual({ agent: 200 });
  });

  test("80 percent usage of a budget is reported once a period", async () => {
    const { clock, reserve, notes } = await open(await newDatabase(), "channel/day=100tokens");
    for (const tokens of [79, 1, 10]) await reserve(ann, call(tokens, 0));
    expect(notes).toEqual(["This channel's budget for language models, 100 tokens a day, is 80% used."]);
    clock.now = new Date("2026-11-22T00:00:00Z");
    await reserve(ann, call(85, 0));
    expect(notes).toHaveLength(2);
  });

  test("U2: concurrent calls of any number of processes never exceed the budget, and the sums match the calls", async () => {
    const url = await newDatabase();
    const zones = await Promise.all([1, 2, 3].map(() => open(url, "team/day=1000tokens", "person/day=400tokens")));
    const results = await Promise.allSettled(
      Array.from({ length: 150 }, async (_, index) => {
        const reserved = await zones[index % 3]?.reserve({ ...ann, person: `U${index % 4}` }, call(20, 10));
        if (index % 2 === 0) await reserved?.recordUse(call(15, 5, false));
      }),
    );
    const zone = await open(url);
    const calls = await zone.calls();
    const sum = calls.reduce((total, { input_tokens, output_tokens }) => total + input_tokens + output_tokens, 0);
    expect(calls).toHaveLength(results.filter(({ status }) => status === "fulfilled").length);
    expect((await zone.used())["team"]).toBe(sum);
    expect(sum).toBeLessThanOrEqual(1_000);
    // Calls are refused above 970 reserved tokens, and each call uses at least two thirds of its reservation.
    expect(sum).toBeGreaterThan(600);
  });
});

const daily: Budget = { scope: "person", period: "day", unit: "usd", limit: 5_000_000 };

test.each([
  ["person/day=5usd", daily],
  ["team/month=0.5USD", { scope: "team", period: "month", unit: "usd", limit: 500_000 }],
  ["channel/day=2000000tokens", { scope: "channel", period: "day", unit: "tokens", limit: 2_000_000 }],
] as const)("%s is a budget", (text, budget) => {
  expect(parseBudget(text)).toEqual(budget);
});

test.each([
  "person/day",
  "person/week=5usd",
  "boss/day=5usd",
  "person/day=0usd",
  "agent/day=1.5tokens",
  "team/day=-1usd",
])("%s is not a budget", (text) => {
  expect(parseBudget(text)).toBeUndefined();
});

test("U3: a refusal names the budget's owner, size and reset", () => {
  const monthly: Budget = { scope: "team", period: "month", unit: "tokens", limit: 2_000_000 };
  expect(usedUpSentence(daily, new Date("2026-12-31T23:59:59Z"))).toBe(
    "Your budget for language models, $5.00 a day, has no room for this. It resets on 1 January at 00:00 UTC.",
  );
  expect(usedUpSentence(monthly, new Date("2026-11-21T12:00:00Z"))).toBe(
    "Your team's budget for language models, 2,000,000 tokens a month, has no room for this. It resets on 1 December at 00:00 UTC.",
  );
  expect(nearlyUsedSentence(daily)).toBe("Your budget for language models, $5.00 a day, is 80% used.");
});

test("periods are days and months in UTC", () => {
  const at = new Date("2026-11-30T23:30:00-02:00");
  expect([periodName("day", at), periodName("month", at)]).toEqual(["2026-12-01", "2026-12"]);
});
