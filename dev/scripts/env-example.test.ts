import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { parseEnv } from "node:util";
import { expect, test } from "vitest";
import { loadExecutionConfig } from "../../apps/execution/src/zone/config/config.ts";
import { loadVerificationConfig } from "../../apps/verification/src/zone/config.ts";
import { devEnvironment } from "./dev/environment.ts";

const text = readFileSync(resolve(import.meta.dirname, "../../.env.example"), "utf8");

/** The three set-ups, uncommented as a person does it, with a secret where the file says how to make one. */
const [local = {}, oneMachine = {}, twoMachines = {}] = text
  .split(/^# \d\. .*$/m)
  .slice(1)
  .map((lines) => {
    const uncommented = lines.replaceAll(/^# (?=[A-Z_]+=)/gm, "").replaceAll("<openssl rand -hex 32>", "0".repeat(64));
    return parseEnv(uncommented) as Record<string, string>;
  });

const warnings = (env: Record<string, string>) =>
  [loadVerificationConfig(env), loadExecutionConfig(env)].flatMap((zone) => zone.warnings);

test("the example sets nothing until you uncomment a line", () => {
  expect(parseEnv(text)).toEqual({});
});

test("a local model and the local Slack: `./crosszone dev` makes the rest, and both zones accept it", () => {
  const dev = devEnvironment(local);
  expect(dev.localSlack).toBe(true);
  expect(warnings(dev.env)).toEqual([]);
  expect(loadExecutionConfig(local).values).toMatchObject({
    MODEL: local["MODEL"],
    OPENAI_BASE_URL: local["OPENAI_BASE_URL"],
  });
});

test("real Slack over Socket Mode on one machine: both zones accept it, and `./crosszone dev` uses that Slack", () => {
  expect(Object.keys(oneMachine).length).toBeGreaterThan(3);
  expect(warnings(oneMachine)).toEqual([]);
  expect(devEnvironment(oneMachine).localSlack).toBe(false);
});

test("two machines over HTTPS with PostgreSQL: both zones accept it, and would refuse plain HTTP", () => {
  expect(Object.keys(twoMachines).length).toBeGreaterThan(8);
  expect(warnings(twoMachines)).toEqual([]);
  expect(() => loadVerificationConfig({ ...twoMachines, EXECUTION_URL: "http://execution.example.com/rpc" })).toThrow(
    /EXECUTION_URL/,
  );
  expect(() => loadExecutionConfig({ ...twoMachines, EXECUTION_TOKEN: "<openssl rand -hex 32>" })).toThrow(
    /EXECUTION_TOKEN/,
  );
});
