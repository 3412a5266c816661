// suite: rest
import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

type Measured = Readonly<Record<"bytes" | "requestMs" | "responseMs", number>>;

test("N1: from a kilobyte to a megabyte, building a request takes under 5 ms and reading a response under 10 ms", async () => {
  const script = resolve(import.meta.dirname, "../testing/measure-translation.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@crosszone/source", script]);
  const measured = JSON.parse(stdout) as Measured[];
  expect(measured).toHaveLength(12);
  expect(Math.max(...measured.map(({ bytes }) => bytes))).toBeGreaterThan(900_000);
  expect(measured.filter(({ requestMs, responseMs }) => requestMs >= 5 || responseMs >= 10)).toEqual([]);
});
