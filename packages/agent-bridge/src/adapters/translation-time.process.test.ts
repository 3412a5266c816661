import { execFile } from "node:child_process";
import { resolve } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

interface Measured {
  readonly protocol: string;
  readonly bytes: number;
  readonly request: { readonly shortestUs: number };
  readonly response: { readonly shortestUs: number };
}

test("N1: from a kilobyte to a megabyte, building a request takes under 5 ms and reading a response under 10 ms", async () => {
  const script = resolve(import.meta.dirname, "../testing/measure-translation.ts");
  const { stdout } = await promisify(execFile)(process.execPath, ["--conditions=@crosszone/source", script]);
  const measured = JSON.parse(stdout) as Measured[];
  expect(measured.map(({ protocol }) => protocol)).toEqual([
    ...Array.from({ length: 4 }, () => "a2a-1.0"),
    ...Array.from({ length: 4 }, () => "jsonrpc-2.0"),
    ...Array.from({ length: 4 }, () => "simple-a2a"),
  ]);
  expect(Math.max(...measured.map(({ bytes }) => bytes))).toBeGreaterThan(900_000);
  const tooLong = measured.filter(
    ({ request, response }) => request.shortestUs >= 5_000 || response.shortestUs >= 10_000,
  );
  expect(tooLong).toEqual([]);
}, 120_000);
