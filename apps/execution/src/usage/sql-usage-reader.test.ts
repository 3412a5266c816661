// suite: both
import { randomUUID } from "node:crypto";
import { isGetUsageResult, isUsageBudgetList, isUsageReport, type UsageGrouping } from "@crosszone/contracts";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../store/open-execution-database.ts";
import { type FireCap, parseBudget, type TaskPayer } from "./budget.ts";
import { createSqlUsageReader } from "./sql-usage-reader.ts";
import { createSqlUsage } from "./sql-usage.ts";

const ann: TaskPayer = { task_id: "", team: "team-1", person: "U1", channel: "C1", agent: "assistant" };
const call = { input: 100, output: 50, cached: 20, tokens: 150, cost: 0.25, estimated: false, model: "anthropic/m" };
const unpriced = { model: "openai-compatible/q", cost: null };
const november = { since: Date.parse("2026-11-01"), until: Date.parse("2026-12-01"), limit: 50, offset: 0 };

interface Spent {
  readonly payer?: Partial<TaskPayer>;
  readonly used?: Partial<{ readonly [Member in keyof typeof call]: (typeof call)[Member] | null }>;
  /** The process crashes before the call's use is recorded. */
  readonly dies?: boolean;
}

onBothEngines("reading usage", (newDatabase) => {
  async function open({ budgets: texts = [], rowsAtOnce }: { budgets?: string[]; rowsAtOnce?: number } = {}) {
    const database = await openExecutionDatabase({ url: await newDatabase() });
    onTestFinished(() => database.close());
    const deps = {
      budgets: texts.flatMap((text) => parseBudget(text) ?? []),
      now: () => new Date("2026-11-21T10:00:00Z"),
    };
    const capOf = async (fireId: string): Promise<FireCap | undefined> => {
      const [source = "", name] = fireId.split(" ");
      return name === undefined ? undefined : { source: source as FireCap["source"], name, cap: {} };
    };
    const usage = createSqlUsage(database, { ...deps, capOf });
    const reader = createSqlUsageReader(database, { ...deps, rowsAtOnce });
    /** Makes a call at a moment of November 2026, such as `05T10:00`. */
    async function spend(at: string, { payer, used, dies = false }: Spent = {}): Promise<void> {
      const task_id = randomUUID();
      const record = { ...call, ...used } as typeof call;
      const reserved = await usage.reserve({ ...ann, ...payer, task_id }, record, () => undefined);
      if (!dies) await reserved.recordUse(record);
      const moved = database.db.updateTable("model_call").set({ at: Date.parse(`2026-11-${at}Z`) });
      await moved.where("task_id", "=", task_id).execute();
    }
    const groups = async (by: UsageGrouping, part = {}) => {
      const report = await reader.report({ by, ...november, ...part });
      expect(isUsageReport(report)).toBe(true);
      return report;
    };
    const callTool = (tool: string, payer = ann) => usage.callTool(payer, { server: "wiki", tool });
    return { database, spend, reader, groups, callTool };
  }

  test("Q34: calls of tools have their length, in no sum of models, and as many as are shown", async () => {
    const { callTool, spend, reader, groups, database } = await open({ budgets: ["person/day=200tokens"] });
    await spend("05T10:00");
    const before = await Promise.all([groups("person"), reader.ofPerson({ ...ann, person: "U1" })]);
    const payer = { ...ann, task_id: "t1" };
    await (
      await callTool("find\u0000", payer)
    )("failed");
    await callTool("pay", payer);
    const { tool_calls, model_calls } = await reader.callsOf(["t1"], 500);
    const of = { agent: "assistant", server: "wiki", at: expect.any(String) };
    expect(tool_calls).toEqual(
      expect.arrayContaining([
        { ...of, tool: "find\uFFFD", outcome: "failed", ended_at: expect.any(String) },
        { ...of, tool: "pay", outcome: undefined, ended_at: undefined },
      ]),
    );
    expect(model_calls).toEqual([]);
    await database.db.updateTable("model_call").set({ at: november.since }).where("tool", "is not", null).execute();
    expect(await Promise.all([groups("person"), reader.ofPerson({ ...ann, person: "U1" })])).toEqual(before);
    await Promise.all(Array.from({ length: 30 }, () => callTool("find", payer)));
    expect((await reader.callsOf(["t1"], 20)).tool_calls).toHaveLength(20);
  });

  test("O26: calls are summed by the schedule or the hook that started them", async () => {
    const { spend, groups } = await open();
    await spend("05T10:00", { payer: { fire_id: "schedule nightly" }, used: { cost: 4 } });
    await spend("05T11:00", { payer: { fire_id: "hook gh" } });
    await spend("05T12:00", { payer: { fire_id: "gone" }, used: { cost: 0.5 } });
    await spend("06T12:00", { payer: { fire_id: "schedule nightly" } });
    const shown = async (by: UsageGrouping) => (await groups(by)).groups.map(({ key, sum }) => [key, sum.cost]);
    expect(await shown("schedule")).toEqual([
      ["nightly", 4.25],
      [null, 0.75],
    ]);
    expect(await shown("hook")).toEqual([
      [null, 4.75],
      ["gh", 0.25],
    ]);
  });

  test("U1: calls are summed by person, channel, team, agent, model and day, and the sums match the calls", async () => {
    const { spend, groups } = await open();
    await spend("05T10:00");
    await spend("05T23:59:59.999", { payer: { person: "U2" }, used: unpriced });
    await spend("06T00:00", { payer: { channel: "C2", person: undefined } });
    await spend("07T12:00", { payer: { team: "team-2" }, dies: true });
    const shown = async (by: UsageGrouping) =>
      (await groups(by)).groups.map(({ key, team, sum }) => [key, ...(team === undefined ? [] : [team]), sum.calls]);
    expect(await shown("person")).toEqual([
      [null, "team-1", 1],
      ["U1", "team-1", 1],
      ["U1", "team-2", 1],
      ["U2", "team-1", 1],
    ]);
    expect(await shown("channel")).toEqual([
      ["C1", "team-1", 2],
      ["C1", "team-2", 1],
      ["C2", "team-1", 1],
    ]);
    expect(await shown("team")).toEqual([
      ["team-1", 3],
      ["team-2", 1],
    ]);
    expect(await shown("agent")).toEqual([["assistant", 4]]);
    expect(await shown("day")).toEqual([
      ["2026-11-05", 2],
      ["2026-11-06", 1],
      ["2026-11-07", 1],
    ]);
    const { groups: models, sum } = await groups("model");
    const tokens = { input_tokens: 100, output_tokens: 50, cached_input_tokens: 20 };
    expect(models[1]).toEqual({
      key: "openai-compatible/q",
      sum: { calls: 1, estimated_calls: 0, unpriced_calls: 1, ...tokens, cost: null },
    });
    const all = { calls: 4, estimated_calls: 1, unpriced_calls: 1, cost: 0.75 };
    expect(sum).toEqual({ ...all, input_tokens: 400, output_tokens: 200, cached_input_tokens: 80 });
  });

  test("a range is read in slices, and each call counts once", async () => {
    const { spend, groups } = await open({ rowsAtOnce: 2 });
    for (const at of ["01T00:00", "02T00:00", "02T00:00", "02T00:00", "02T00:00", "03T00:00", "30T23:59"])
      await spend(at);
    expect((await groups("day")).groups.map(({ key, sum }) => [key, sum.calls])).toEqual([
      ["2026-11-01", 1],
      ["2026-11-02", 4],
      ["2026-11-03", 1],
      ["2026-11-30", 1],
    ]);
    const part = { since: Date.parse("2026-11-02"), until: Date.parse("2026-11-30T23:59Z"), limit: 1, offset: 1 };
    const { groups: some, total, sum } = await groups("day", part);
    expect([some.map(({ key }) => key), total, sum.calls, sum.cost]).toEqual([["2026-11-03"], 2, 5, 1.25]);
  });

  test("a budget lists its users, and an unused budget is listed too", async () => {
    const { spend, reader } = await open({ budgets: ["person/day=5usd", "team/month=2000tokens", "agent/day=1usd"] });
    const listed = async () => {
      const list = await reader.budgets();
      expect(isUsageBudgetList(list)).toBe(true);
      return list.budgets.map(({ resets_at, ...budget }) => [resets_at.slice(0, 10), budget]);
    };
    const person = { scope: "person", period: "day", unit: "usd", limit: 5 };
    expect((await listed())[0]).toEqual(["2026-11-22", { ...person, used: 0 }]);
    await spend("21T09:00");
    await spend("21T09:30", { payer: { person: "U2" }, used: { cost: 0.5 } });
    expect(await listed()).toEqual([
      ["2026-11-22", { ...person, used: 0.5, subject: "U2", team: "team-1" }],
      ["2026-11-22", { ...person, used: 0.25, subject: "U1", team: "team-1" }],
      ["2026-12-01", { scope: "team", period: "month", unit: "tokens", limit: 2000, used: 300, subject: "team-1" }],
      ["2026-11-22", { scope: "agent", period: "day", unit: "usd", limit: 1, used: 0.75, subject: "assistant" }],
    ]);
  });

  test("a person sees their own usage and the budgets that limit it, and no usage of others", async () => {
    const { spend, reader } = await open({
      budgets: ["person/day=5usd", "team/month=500usd", "channel/day=900tokens"],
    });
    await spend("21T09:00");
    await spend("02T09:00", { dies: true });
    await spend("21T09:00", { payer: { person: "U2" } });
    await spend("21T09:00", { payer: { team: "team-2" } });
    const own = await reader.ofPerson({ person: "U1", team: "team-1", channel: "C1", agent: "assistant" });
    expect(isGetUsageResult(own)).toBe(true);
    expect(own).toMatchObject({ day: { calls: 1, cost: 0.25 }, month: { calls: 2, estimated_calls: 1, cost: 0.5 } });
    expect(own.budgets).toEqual([
      { scope: "person", period: "day", unit: "usd", limit: 5, used: 0.5, resets_at: "2026-11-22T00:00:00.000Z" },
      { scope: "team", period: "month", unit: "usd", limit: 500, resets_at: "2026-12-01T00:00:00.000Z" },
      { scope: "channel", period: "day", unit: "tokens", limit: 900, resets_at: "2026-11-22T00:00:00.000Z" },
    ]);
    const nobody = await reader.ofPerson({ person: "U\0", team: undefined, channel: undefined, agent: "assistant" });
    expect(nobody).toMatchObject({ month: { calls: 0, cost: null }, budgets: [{ scope: "person", used: 0 }] });
  });

  test("an id with characters that the database refuses is stored and found", async () => {
    const { spend, reader } = await open({ budgets: ["person/day=5usd"] });
    await spend("21T09:00", { payer: { person: "U\0\ud800" } });
    const own = await reader.ofPerson({ person: "U\0\ud800", team: "team-1", channel: undefined, agent: "assistant" });
    expect(own).toMatchObject({ day: { calls: 1 }, budgets: [{ used: 0.25 }] });
  });
});
