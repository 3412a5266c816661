import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { onBothEngines } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { createSqlUsageReader } from "./sql-usage-reader.ts";

const program = fileURLToPath(new URL("../testing/model-caller.ts", import.meta.url));
/** The tokens that each call reserves and uses; see the program. */
const [most, used] = [30, 20];

interface Caller {
  readonly process: ChildProcess;
  readonly tell: (line: string) => void;
  /** Resolves with the next line of output that starts with `beginning`. */
  readonly says: (beginning: string) => Promise<string>;
}

async function startCaller(url: string, budget: string): Promise<Caller> {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", program, url, budget], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout });
  const ended = once(lines, "close").then(() => Promise.reject(new Error("the process ended before it said so")));
  ended.catch(() => undefined);
  const says = async (beginning: string): Promise<string> => {
    for (;;) {
      const [line] = (await Promise.race([once(lines, "line"), ended])) as [string];
      if (line.startsWith(beginning)) return line;
    }
  };
  await says("ready");
  return { process: child, tell: (line) => void child.stdin.write(`${line}\n`), says };
}

onBothEngines("budgets across processes", (newDatabase) => {
  async function open(budget: string) {
    const url = await newDatabase();
    const { db, close } = await openExecutionDatabase({ url });
    onTestFinished(() => close());
    const reader = createSqlUsageReader({ db }, { budgets: [], now: () => new Date() });
    const budgetUsed = async (): Promise<number> =>
      (await db.selectFrom("budget_use").select("used").executeTakeFirst())?.used ?? 0;
    const sum = async () => {
      const range = { since: 0, until: Date.now() + 86_400_000, limit: 50, offset: 0 };
      const { sum: all } = await reader.report({ by: "model", ...range });
      return { ...all, tokens: all.input_tokens + all.output_tokens };
    };
    const callers = await Promise.all([1, 2, 3, 4].map(() => startCaller(url, budget)));
    return { callers, budgetUsed, sum };
  }

  test("U2: of a thousand concurrent calls in four processes, the budget limits how many are made, and the sums match", async () => {
    const limit = 8_000;
    const { callers, budgetUsed, sum } = await open(`team/month=${limit}tokens`);
    const ends = Promise.all(callers.map(({ says }) => says("made")));
    for (const { tell } of callers) tell("250");
    let highest = 0;
    const over = new AbortController();
    const watching = (async () => {
      while (!over.signal.aborted) {
        highest = Math.max(highest, await budgetUsed());
        await setTimeout(10);
      }
    })();
    const lines = await ends;
    over.abort();
    await watching;
    const made = lines.reduce((total, line) => total + Number(line.split(" ")[1]), 0);
    const all = await sum();
    expect(all).toMatchObject({ calls: made, estimated_calls: 0, tokens: made * used });
    expect(await budgetUsed()).toBe(made * used);
    expect(highest).toBeLessThanOrEqual(limit);
    // Calls are refused only when less than one reservation is left, and each call uses at least two thirds of it.
    expect(made * most).toBeGreaterThan(limit - most);
    expect(made).toBeLessThan(1_000);
  }, 120_000);

  test("U2: a killed process leaves its calls as reserved, and calls and budget still match", async () => {
    const { callers, budgetUsed, sum } = await open("team/month=900000000tokens");
    for (const { tell } of callers) tell("forever");
    await Promise.all(callers.map(({ says }) => says("made one")));
    for (const { process: child, says } of callers) {
      await says("made one");
      const exited = once(child, "exit");
      child.kill("SIGKILL");
      await exited;
    }
    // PostgreSQL may still commit what a killed process sent last.
    await expect.poll(async () => (await sum()).tokens - (await budgetUsed())).toBe(0);
    const { calls, estimated_calls: open_, tokens } = await sum();
    expect(tokens).toBe((calls - open_) * used + open_ * most);
    expect(await budgetUsed()).toBe(tokens);
    expect(calls).toBeGreaterThan(8);
    expect(open_).toBeLessThanOrEqual(callers.length * 8);
  }, 120_000);
});
