import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { defaultRedelivery } from "@crosszone/kafka-gateway";
import { channels } from "@crosszone/contracts";
import { executionConfig, loadExecutionConfig } from "@crosszone/execution";
import { readDataArgs } from "@crosszone/ops/data";
import { expect, onTestFinished, test } from "vitest";
import { goneTests, promisesOf } from "./page-promises.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/bus.md"), "utf8");
const [, promised = ""] = /## Guarantees\n([^]*?\n)## /.exec(page) ?? [];
const promises = promisesOf(promised);

test("the page has promises, and each has a test", () => {
  expect(promises.length).toBeGreaterThan(5);
  expect(promises.filter(({ tests }) => tests.length === 0).map(({ text }) => text)).toEqual([]);
});

test.each(promises)("the tests exist that prove: $text", (promise) => {
  expect(goneTests(promise)).toEqual([]);
});

test("the channels are those of the contract, with their topics and keys", () => {
  const rows = [...page.matchAll(/^\| `(agent_\w+)` +\| `([\w.]+)` +\| `(\w+)` +\|/gm)].map((row) => row.slice(1, 4));
  expect(rows).toEqual(Object.entries(channels).map(([name, { topic, key }]) => [name, topic, key]));
});

test("the configuration of Kafka is taken, and every variable on the page exists", () => {
  const [, text = ""] = /```env\n([^]*?)```/.exec(page) ?? [];
  const env = Object.fromEntries(
    text
      .trim()
      .split("\n")
      .map((line) => line.split(/=(.*)/, 2)),
  );
  const folder = mkdtempSync(join(tmpdir(), "bus-page-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const KAFKA_PROPERTIES_FILE = join(folder, basename(env["KAFKA_PROPERTIES_FILE"] ?? ""));
  writeFileSync(KAFKA_PROPERTIES_FILE, /```properties\n([^]*?)```/.exec(page)?.[1] ?? "");
  expect(loadExecutionConfig({ ...env, KAFKA_PROPERTIES_FILE, EXECUTION_TOKEN: "" }).values.KAFKA_BROKERS).toHaveLength(
    2,
  );
  const named = [...page.matchAll(/`([A-Z][A-Z_]{5,})(?:=\w+)?`/g)].map(([, name = ""]) => name);
  expect(named.length).toBeGreaterThan(5);
  expect(named.filter((name) => !Object.hasOwn(executionConfig, name))).toEqual([]);
});

test("the commands for dead letters are understood, and the number of deliveries is the bus's own", () => {
  const commands = [...page.matchAll(/^\$ node dist\/data\.js (.*)$/gm)].map(([, words = ""]) => words.split(" "));
  expect(commands.map((words) => readDataArgs(words))).toMatchObject([
    { command: "dead-letters" },
    { command: "replay", id: "agent_tasks/3-17" },
  ]);
  expect(page).toContain("failed twenty times");
  expect(defaultRedelivery.mostAttempts).toBe(20);
});
