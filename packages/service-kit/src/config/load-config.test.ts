import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { ConfigError } from "./config-error.ts";
import { defineConfig, type Environment, list, port, secret, url } from "./definition.ts";
import { loadConfig } from "./load-config.ts";

const folder = mkdtempSync(join(tmpdir(), "config-"));
afterAll(() => rmSync(folder, { recursive: true }));

const definition = defineConfig({
  EXECUTION_PORT: { schema: port(), description: "Port to listen on", default: "4000" },
  EXECUTION_MODE: { schema: z.enum(["fast", "safe"]), description: "How to run", example: "safe" },
  EXECUTION_PEERS: { schema: list(url()).optional(), description: "Who may call" },
  SLACK_SIGNING_SECRET: {
    schema: secret(16),
    description: "Signs requests",
    secret: true,
    example: "from the app page",
  },
});

const good = { EXECUTION_MODE: "safe", SLACK_SIGNING_SECRET: "0123456789abcdef" };

function failure(env: Environment): ConfigError {
  try {
    loadConfig(definition, env);
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw error;
  }
  throw new Error("the configuration is good");
}

test("an empty string counts as unset", () => {
  expect(loadConfig(definition, { ...good, EXECUTION_PORT: "", EXECUTION_PEERS: "" }).values).toMatchObject({
    EXECUTION_PORT: 4000,
    EXECUTION_PEERS: undefined,
  });
  expect(failure({ ...good, EXECUTION_MODE: "" }).message).toContain("EXECUTION_MODE is not set.");
});

test("every problem is listed at once: variable, problem, expectation, example", () => {
  const { message, problems } = failure({ EXECUTION_PORT: "70000", EXECUTION_PEERS: "nowhere" });
  expect(problems.map(({ name }) => name)).toEqual([
    "EXECUTION_PORT",
    "EXECUTION_MODE",
    "EXECUTION_PEERS",
    "SLACK_SIGNING_SECRET",
  ]);
  expect(message.split("\n")).toEqual([
    "The configuration has 4 problems:",
    "  - EXECUTION_PORT is not valid: it is outside the range. Expected: a port number from 0 to 65535; 0 takes any free one.",
    "  - EXECUTION_MODE is not set. Expected: How to run. Example: safe",
    "  - EXECUTION_PEERS is not valid: it is not an absolute URL. Expected: a comma-separated list; each item is an absolute URL that starts with http: or https:.",
    "  - SLACK_SIGNING_SECRET is not set. Expected: at least 16 characters, with no space or line break at either end. Example: from the app page",
  ]);
});

describe("no value is shown", () => {
  test("even if the schema of a secret quotes or throws it", () => {
    const loud = defineConfig({
      A_TOKEN: {
        schema: z.string().refine(() => false, { error: (issue) => `bad ${String(issue.input)}` }),
        description: "A token",
        secret: true,
      },
      A_KEY: {
        schema: z.string().transform((text) => JSON.parse(text) as unknown),
        description: "A key",
        secret: true,
      },
    });
    const load = () => loadConfig(loud, { A_TOKEN: "hunter2", A_KEY: "hunter2" });
    expect(load).toThrow(/A_TOKEN is not valid\.(.|\n)*A_KEY is not valid\./);
    expect(load).not.toThrow(/hunter/);
  });
});

describe("a secret from a file", () => {
  const file = join(folder, "secret");
  const fromFile = { EXECUTION_MODE: "safe", SLACK_SIGNING_SECRET_FILE: file };

  test("loses only its trailing line break", () => {
    writeFileSync(file, "0123456789 abcdef\n");
    expect(loadConfig(definition, fromFile).values.SLACK_SIGNING_SECRET).toBe("0123456789 abcdef");
  });

  test("that is missing, empty or set twice is a problem, and the path, which may be the secret, is not shown", () => {
    const missing = failure({ ...fromFile, SLACK_SIGNING_SECRET_FILE: "hunter2" }).message;
    expect(missing).toContain("cannot be read from the file that SLACK_SIGNING_SECRET_FILE names (ENOENT)");
    expect(missing).not.toContain("hunter2");
    expect(failure({ ...fromFile, SLACK_SIGNING_SECRET_FILE: folder }).message).toContain("(EISDIR)");
    writeFileSync(file, "\n");
    expect(failure(fromFile).message).toContain("is empty in the file");
    expect(failure({ ...fromFile, ...good }).message).toContain("keep one of the two");
  });

  test("is only for secrets, and a warning says so for other variables", () => {
    const { values, warnings } = loadConfig(definition, { ...good, EXECUTION_PORT_FILE: file });
    expect(values.EXECUTION_PORT).toBe(4000);
    expect(warnings).toEqual([
      "EXECUTION_PORT_FILE has no effect: only a secret can come from a file. Set EXECUTION_PORT.",
    ]);
  });
});

test("a check across variables gets the valid ones, and its problems are reported with the others", () => {
  const check: Parameters<typeof loadConfig<typeof definition>>[2] = ({ EXECUTION_PORT }) => [
    { name: "EXECUTION_PORT", wrong: `was read: ${EXECUTION_PORT !== undefined}` },
    { name: "SLACK_SIGNING_SECRET", wrong: "does not fit" },
  ];
  const names = (env: Record<string, string>): string[] => {
    try {
      loadConfig(definition, env, check);
      return [];
    } catch (error) {
      return (error as ConfigError).problems.map(({ name, wrong }) => `${name} ${wrong}`);
    }
  };
  expect(names(good)).toEqual(["EXECUTION_PORT was read: true", "SLACK_SIGNING_SECRET does not fit"]);
  expect(names({ ...good, EXECUTION_PORT: "x" }).map((line) => line.split(" ", 1)[0])).toEqual([
    "EXECUTION_PORT",
    "SLACK_SIGNING_SECRET",
  ]);
});

test("a misspelled name is a warning, and a line in the error", () => {
  const env = { ...good, EXECUTION_PROT: "1", SLACK_SIGNING_SECRETS: "x", SLACK_OTHER: "1", PATH: "/bin" };
  const warnings = [
    "EXECUTION_PROT is not a known variable. Did you mean EXECUTION_PORT?",
    "SLACK_SIGNING_SECRETS is not a known variable. Did you mean SLACK_SIGNING_SECRET?",
  ];
  expect(loadConfig(definition, env).warnings).toEqual(warnings);
  const { message } = failure({ ...env, EXECUTION_MODE: "no" });
  for (const warning of warnings) expect(message).toContain(`\n  - ${warning}`);
});

test("a definition that contradicts its own documentation is refused", () => {
  const entry = { schema: port(), description: "A port" };
  expect(() => defineConfig({ A_PORT: { ...entry, default: "none" } })).toThrow("the default of A_PORT is not valid");
  expect(() => defineConfig({ A_PORT: { ...entry, example: "x" } })).toThrow("the example of A_PORT is not valid");
  expect(() => defineConfig({ aPort: entry })).toThrow("aPort is not an upper snake case name");
  // @ts-expect-error a secret has no default
  defineConfig({ A_SECRET: { schema: secret(4), description: "A secret", secret: true, default: "12345" } });
});
