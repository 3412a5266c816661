import { expect, expectTypeOf, test } from "vitest";
import { constant, defineConfig } from "./definition.ts";
import { port } from "./kinds.ts";
import { loadConfig } from "./load-config.ts";

const definition = defineConfig({
  ZONE_PORT: { schema: port(), description: "Port to listen on.", default: "4000" },
  LEASE_MS: constant(10_000, "ms")`A lease.`,
  METADATA_HOST: constant("metadata.internal", "host")`A host.`,
});

const load = (env: Record<string, string>) => loadConfig(definition, env);

test("constants are read by name, together with the variables", () => {
  const { values, warnings } = load({});
  expect(values).toEqual({ ZONE_PORT: 4000, LEASE_MS: 10_000, METADATA_HOST: "metadata.internal" });
  expect(warnings).toEqual([]);
  expectTypeOf(values.LEASE_MS).toEqualTypeOf<number>();
  expectTypeOf(values.METADATA_HOST).toEqualTypeOf<string>();
});

test("no variable sets a constant", () => {
  expect(load({ LEASE_MS: "500" }).values.LEASE_MS).toBe(10_000);
});
