import { expect, test, expectTypeOf } from "vitest";
import { z } from "zod";
import { databaseUrlOf, databaseWarnings } from "./database-variables.ts";
import { defineConfig, constant } from "./definition.ts";
import { port, secret, byteSize, duration, list, oneOf, url, wholeNumber, yesOrNo } from "./kinds.ts";
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

type Row = [name: string, schema: z.ZodType<unknown, string>, good: Record<string, unknown>, bad: string[]];

test.each([
  ["port", port(), { "0": 0, " 4000 ": 4000, "65535": 65535 }, ["65536", "-1", "4e3", "0x10", "4000.0", "", "１"]],
  ["wholeNumber", wholeNumber({ min: -2, max: 3 }), { "-2": -2, "3": 3 }, ["-3", "4", "9".repeat(17), "1 2", "NaN"]],
  [
    "duration",
    duration(),
    { "0": 0, "500ms": 500, " 30 S ": 30_000, "10m": 600_000, "24h": 86_400_000, "24d": 2_073_600_000 },
    ["30", "1.5s", "-1s", "5 weeks", "25d", "s", ""],
  ],
  ["duration in a range", duration({ min: 1_000, max: 60_000 }), { "1s": 1_000, "1m": 60_000 }, ["999ms", "61s", "0"]],
  ["oneOf", oneOf(["debug", "silent"]), { debug: "debug", silent: "silent" }, ["DEBUG", "trace", "toString", ""]],
  [
    "byteSize",
    byteSize(),
    { "10": 10, "1KB": 1024, "2 mb": 2097152, "1GB": 1073741824, "7b": 7 },
    ["MB", "1.5MB", "1TB"],
  ],
  ["byteSize in a range", byteSize({ min: 10, max: 2048 }), { "2KB": 2048 }, ["9", "3KB"]],
  ["list", list(), { "": [], " a, b ,,c,": ["a", "b", "c"], "a b": ["a b"] }, []],
  ["list of numbers", list(wholeNumber()), { "1, 2": [1, 2] }, ["1,x"]],
  ["list of choices", list(z.enum(["rpc", "bridge"])), { rpc: ["rpc"] }, ["rpc,all"]],
  ["url", url(), { "http://a.test/b": "http://a.test/b", "https://a": "https://a" }, ["a.test", "ftp://a", "/b"]],
  ["url of a scheme", url(["postgres"]), { "postgres://a/b": "postgres://a/b" }, ["http://a"]],
  ["yesOrNo", yesOrNo(), { true: true, false: false }, ["1", "yes", "TRUE", ""]],
  ["secret", secret(4), { "1234": "1234", "1 34": "1 34" }, ["123", " 1234", "1234\r"]],
] satisfies Row[])("%s", (...[, schema, good, bad]: Row) => {
  for (const [text, value] of Object.entries(good)) expect(schema.parse(text)).toEqual(value);
  for (const text of bad) expect({ text, ok: schema.safeParse(text).success }).toEqual({ text, ok: false });
});

test("without a server, each zone has its own file at an absolute path", () => {
  expect(databaseUrlOf({ DATABASE_URL: undefined, DATA_DIR: "/data" }, "execution")).toBe(
    "sqlite:/data/execution.sqlite",
  );
  expect(databaseUrlOf({ DATABASE_URL: undefined, DATA_DIR: "data" }, "execution")).toMatch(
    /^sqlite:\/.*\/data\/execution/,
  );
  expect(databaseUrlOf({ DATABASE_URL: "postgres://db/x", DATA_DIR: "data" }, "execution")).toBe("postgres://db/x");
});

test.each([
  ["postgres://me:secret@db.example.com/x", "does not require TLS"],
  ["postgres://db.example.com/x?sslmode=disable", "does not require TLS"],
  ["postgres://db.example.com/x?sslmode=no-verify", "can impersonate the database"],
  ["postgres://db.example.com/x?sslmode=verify-full", ""],
  ["postgres://db.example.com/x?sslmode=require", ""],
  ["postgres://db.example.com/x?ssl=true", ""],
  ["postgres://127.0.0.1:5432/x", ""],
  ["postgres://[::1]/x", ""],
  ["postgres:///x?host=/var/run/postgresql", ""],
  [undefined, ""],
] as const)("whether a connection to %s is unencrypted is reported, without its password", (DATABASE_URL, words) => {
  const warnings = databaseWarnings({ DATABASE_URL });
  expect(warnings).toHaveLength(words === "" ? 0 : 1);
  expect(warnings.join("")).toContain(words);
  expect(warnings.join("")).not.toContain("secret@");
});
