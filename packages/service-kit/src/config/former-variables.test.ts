import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { defineConfig } from "./definition.ts";
import { duration, list, secret } from "./kinds.ts";
import { loadConfig } from "./load-config.ts";

const folder = mkdtempSync(join(tmpdir(), "former-names-"));
afterAll(() => rmSync(folder, { recursive: true }));

const definition = defineConfig({
  TASK_DEADLINE: { schema: duration(), description: "A time.", default: "10m", formerly: "TASK_DEADLINE_MS" },
  THREAD_RETENTION: {
    schema: duration({ max: 100 * 86_400_000 }),
    description: "A time.",
    default: "90d",
    formerly: "THREAD_RETENTION_DAYS",
  },
  CALLER_NAMES: { schema: list().optional(), description: "Names.", formerly: "CLIENTS" },
  CLIENT_KEY: { schema: secret(4).optional(), description: "A secret.", secret: true, formerly: "OLD_KEY" },
});

const load = (env: Record<string, string>) => loadConfig(definition, env);

test("a former name works, and a warning shows the new name", () => {
  const { values, warnings } = load({ CLIENTS: "a,b", OLD_KEY: "hunter2" });
  expect(values).toMatchObject({ CALLER_NAMES: ["a", "b"], CLIENT_KEY: "hunter2" });
  expect(warnings).toEqual([
    "CLIENTS is now called CALLER_NAMES. The old name still works: set CALLER_NAMES instead.",
    "OLD_KEY is now called CLIENT_KEY. The old name still works: set CLIENT_KEY instead.",
  ]);
});

test("the unit at the end of a former name applies to a number without a unit", () => {
  const { values, warnings } = load({ TASK_DEADLINE_MS: "1500", THREAD_RETENTION_DAYS: "2" });
  expect(values).toMatchObject({ TASK_DEADLINE: 1_500, THREAD_RETENTION: 172_800_000 });
  expect(warnings[0]).toBe(
    "TASK_DEADLINE_MS is now called TASK_DEADLINE. The old name still works: set TASK_DEADLINE, with a unit such as 30s or 14d, instead.",
  );
});

test("both names can have the same value, but not different ones", () => {
  expect(load({ TASK_DEADLINE_MS: "60000", TASK_DEADLINE: "1m" }).values.TASK_DEADLINE).toBe(60_000);
  expect(() => load({ TASK_DEADLINE_MS: "1", TASK_DEADLINE: "1m" })).toThrow(
    "TASK_DEADLINE and its former name TASK_DEADLINE_MS have different values: keep TASK_DEADLINE only.",
  );
  const secrets = () => load({ OLD_KEY: "hunter2", CLIENT_KEY: "hunter3" });
  expect(secrets).toThrow("CLIENT_KEY and its former name OLD_KEY have different values");
  expect(secrets).not.toThrow(/hunter/);
});

test("a secret's file can be set under the former name too", () => {
  const path = join(folder, "key");
  writeFileSync(path, "hunter2\n");
  const { values, files, warnings } = load({ OLD_KEY_FILE: path });
  expect(values.CLIENT_KEY).toBe("hunter2");
  expect(files).toEqual({ CLIENT_KEY: path });
  expect(warnings).toEqual([expect.stringContaining("OLD_KEY_FILE is now called CLIENT_KEY_FILE")]);
  expect(() => load({ OLD_KEY_FILE: path, CLIENT_KEY: "hunter2" })).toThrow("keep one of the two");
});

test("an invalid value under a former name is refused, and the text has both names", () => {
  expect(() => load({ TASK_DEADLINE_MS: "soon" })).toThrow(
    /TASK_DEADLINE is not valid: it is not a time span[^]*TASK_DEADLINE_MS is now called TASK_DEADLINE/,
  );
});
