/**
 * A process that reserves and records calls of language models, for tests: `model-caller.ts <database URL> <budget…>`. It writes `ready`
 * and reads a line. For a number it makes that many calls at once and writes how many the budgets allowed. For `forever` it makes calls
 * until killed.
 */
import type { CallRecord } from "@crosszone/assistant";
import { retryTransient } from "@crosszone/sql";
import { openExecutionDatabase } from "../database/open-execution-database.ts";
import { parseBudget } from "../usage/budget.ts";
import { createSqlUsage } from "../usage/sql-usage.ts";

const [url = "", ...texts] = process.argv.slice(2);
const database = await openExecutionDatabase({ url });
const budgets = texts.flatMap((text) => parseBudget(text) ?? []);
const usage = createSqlUsage(database, { budgets, now: () => new Date() });
const record = (input: number, output: number, estimated: boolean): CallRecord => ({
  model: "anthropic/m",
  input,
  output,
  cached: 0,
  tokens: input + output,
  cost: null,
  estimated,
});

/** On a busy machine, hundreds of concurrent calls wait longer for a connection than the pool's timeout. */
const retried = <T>(work: () => Promise<T>): Promise<T> => retryTransient(work, { budgetMs: 100_000 });

/** Reserves 30 tokens and uses 20 of them. Returns whether a budget had room. */
async function callModel(number: number): Promise<boolean> {
  const payer = { task_id: `${process.pid}-${number}`, team: "team", person: "U1", channel: "C1", agent: "assistant" };
  try {
    const reserved = await retried(() => usage.reserve(payer, record(20, 10, true), () => undefined));
    await retried(() => reserved.recordUse(record(15, 5, false)));
    return true;
  } catch (error) {
    if (error instanceof Error && "reason" in error && error.reason === "budget") return false;
    throw error;
  }
}

process.stdout.write("ready\n");
process.stdin.once("data", (data) => void run(data.toString().trim()));

async function run(line: string): Promise<void> {
  if (line === "forever") {
    const loop = async (): Promise<never> => {
      for (let number = 0; ; number += 1) {
        await callModel(number);
        process.stdout.write("made one\n");
      }
    };
    await Promise.all(Array.from({ length: 8 }, loop));
  }
  const made = await Promise.all(Array.from({ length: Number(line) }, (_, number) => callModel(number)));
  process.stdout.write(`made ${made.filter(Boolean).length} of ${made.length}\n`);
  await database.close();
  process.stdin.destroy();
}
