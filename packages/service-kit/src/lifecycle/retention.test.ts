import { processEvents } from "@crosszone/telemetry";
import { expect, onTestFinished, test } from "vitest";
import { createLogger } from "../logging/logger.ts";
import { createEmit } from "../metrics/emit.ts";
import { createMetrics } from "../metrics/registry.ts";
import { type Purge, startRetention } from "./retention.ts";

/** Expired rows of a table, deleted `most` at a time. */
const tableOf = (table: string, rows: number): Purge & { asked: number[] } => {
  const asked: number[] = [];
  let left = rows;
  return {
    table,
    asked,
    purge: async (most) => {
      asked.push(most);
      const gone = Math.min(left, most);
      left -= gone;
      return gone;
    },
  };
};

function start(purges: readonly Purge[]) {
  const told: unknown[] = [];
  const waiting: (() => void)[] = [];
  const tell = (what: unknown): void => {
    told.push(what);
    for (const look of waiting) look();
  };
  const retention = startRetention({
    purges,
    everyMs: 1,
    most: 10,
    emit: (_event, ...[fields]) => {
      const { table, rows, cause } = fields as { table: string; rows?: number; cause?: unknown };
      tell([table, rows ?? String(cause)]);
    },
  });
  onTestFinished(() => retention.stop());
  const until = (count: number): Promise<void> =>
    new Promise((resolve) => {
      const look = (): void => void (told.length >= count && resolve());
      waiting.push(look);
      look();
    });
  return { told, until, retention };
}

test("O28: old rows are deleted in limited batches, with one line for each table, however many there are", async () => {
  const [one, two] = [tableOf("one", 25), tableOf("two", 3)];
  const { told, until } = start([one, two]);
  await until(2);
  expect(told).toEqual([
    ["one", 25],
    ["two", 3],
  ]);
  expect(one.asked).toHaveLength(3);
  expect(new Set([...one.asked, ...two.asked])).toEqual(new Set([10]));
});

test("a failing table is reported, retried in the next round, and does not block the others", async () => {
  const failing: Purge = { table: "one", purge: async () => Promise.reject(new Error("no database")) };
  const { told, until } = start([failing, tableOf("two", 1)]);
  await until(3);
  expect(told.slice(0, 3)).toEqual([
    ["one", "Error: no database"],
    ["two", 1],
    ["one", "Error: no database"],
  ]);
});

test("a stop waits for the current purge, and no other starts", async () => {
  const gate = Promise.withResolvers<number>();
  const asked: number[] = [];
  const began = Promise.withResolvers<void>();
  const purge = async (most: number): Promise<number> => {
    asked.push(most);
    began.resolve();
    return gate.promise;
  };
  const { retention, told } = start([{ table: "one", purge }]);
  await began.promise;
  const stopped = retention.stop();
  gate.resolve(10);
  await stopped;
  expect({ asked, told }).toEqual({ asked: [10], told: [["one", 10]] });
});

test("purged rows are counted by table and logged, and a failure is logged with its cause", async () => {
  const { registry, render } = createMetrics();
  const lines: string[] = [];
  const destination = { write: (line: string): void => void lines.push(line) };
  const logger = createLogger({ zone: "z", level: "info", events: processEvents, destination });
  const emit = createEmit({ logger, events: processEvents, measured: { registry, sets: { http_refusal: [] } } });
  emit("rows_purged", { table: "one", rows: 500 });
  emit("rows_purged", { table: "one", rows: 2 });
  emit("purge_failed", { table: "one", cause: Object.assign(new Error("no database"), { code: "ECONNREFUSED" }) });
  expect((await render()).body).toContain('rows_purged_total{table="one"} 502');
  expect(lines.map((line) => JSON.parse(line) as unknown)).toMatchObject([
    { event: "rows_purged", table: "one", rows: 500 },
    { event: "rows_purged", table: "one", rows: 2 },
    { event: "purge_failed", table: "one", level: "warn", cause: { code: "ECONNREFUSED" } },
  ]);
});
