import { expect, expectTypeOf, test } from "vitest";
import { constant, defineConfig } from "./definition.ts";
import { ConfigError } from "./config-error.ts";
import { port } from "./kinds.ts";
import { loadConfig } from "./load-config.ts";

const definition = defineConfig({
  ZONE_PORT: { schema: port(), description: "Port to listen on.", default: "4000" },
  LEASE_MS: constant(10_000, "ms")`A lease.`,
  METADATA_HOST: constant("metadata.internal", "host")`A host.`,
});

const load = (env: Record<string, string>) => loadConfig(definition, env);

function problems(tuning: string): readonly string[] {
  try {
    load({ CROSSZONE_TUNING: tuning });
  } catch (error) {
    if (error instanceof ConfigError) return error.problems.map(({ name, wrong }) => `${name} ${wrong}`);
    throw error;
  }
  return [];
}

test("constants are read by name, together with the variables", () => {
  const { values, warnings } = load({});
  expect(values).toEqual({ ZONE_PORT: 4000, LEASE_MS: 10_000, METADATA_HOST: "metadata.internal" });
  expect(warnings).toEqual([]);
  expectTypeOf(values.LEASE_MS).toEqualTypeOf<number>();
  expectTypeOf(values.METADATA_HOST).toEqualTypeOf<string>();
});

test("CROSSZONE_TUNING changes constants, and a warning says that it is for tests", () => {
  const { values, warnings } = load({ CROSSZONE_TUNING: '{"LEASE_MS":500,"METADATA_HOST":"127.0.0.1:1"}' });
  expect(values).toMatchObject({ LEASE_MS: 500, METADATA_HOST: "127.0.0.1:1" });
  expect(warnings).toEqual(["CROSSZONE_TUNING changes constants. It is for tests and unsupported in production."]);
});

test.each([
  ["soon", "is not a JSON object"],
  ["null", "is not a JSON object"],
  ["[500]", "is not a JSON object"],
  ['{"LEASES_MS":500}', "sets LEASES_MS, which is not a constant of this zone"],
  ['{"ZONE_PORT":1}', "sets ZONE_PORT, which is not a constant of this zone"],
  ['{"xoxb-secret":1}', "sets a name, which is not a constant of this zone"],
  ['{"LEASE_MS":"500"}', "sets LEASE_MS to something other than a whole number"],
  ['{"LEASE_MS":-1}', "sets LEASE_MS to something other than a whole number"],
  ['{"METADATA_HOST":1}', "sets METADATA_HOST to something other than a string"],
])("CROSSZONE_TUNING=%s stops the start with an explanation", (tuning, wrong) => {
  expect(problems(tuning)).toEqual([`CROSSZONE_TUNING ${wrong}`]);
});

test("no variable sets a constant", () => {
  expect(load({ LEASE_MS: "500" }).values.LEASE_MS).toBe(10_000);
});
