import { writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomBytes } from "node:crypto";
import { expect, onTestFinished, test } from "vitest";
import { ConfigError } from "../config/config-error.ts";
import { type Environment } from "../config/definition.ts";
import { loadConfig } from "../config/load-config.ts";
import { dataKeysProblems, dataKeysVariables, vaultOf } from "./data-keys.ts";

const newKey = (): string => randomBytes(32).toString("base64");
const load = (env: Environment) => loadConfig(dataKeysVariables, env, dataKeysProblems).values;

test("keys come from the variable or from the file in DATA_KEYS_FILE, in any base64", async () => {
  const folder = await mkdtemp(join(tmpdir(), "data-keys-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [one, two] = [newKey(), newKey()];
  const path = join(folder, "keys");
  writeFileSync(path, `new:${Buffer.from(two, "base64").toString("base64url")},old:${one}\n`);
  const sealed = vaultOf(load({ DATA_KEYS: `old:${one}` }))?.seal("secret", "row") ?? "";
  expect(sealed).toMatch(/^v1\.old\./);
  const vault = vaultOf(load({ DATA_KEYS_FILE: path }));
  expect(vault?.prefix).toBe("v1.new.");
  expect(vault?.open(sealed, "row")).toBe("secret");
});

test("without keys no vault is created", () => {
  expect(vaultOf(load({}))).toBeUndefined();
  expect(vaultOf(load({ DATA_KEYS: "" }))).toBeUndefined();
});

function problemOf(env: Environment): string {
  try {
    load(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return "";
}

const key = newKey();
test.each([
  ["a key without an id", key, "item 1 has no id"],
  [
    "a key of the wrong length",
    `a:${key},b:${randomBytes(16).toString("base64")}`,
    "item 2 has a key of 16 bytes instead of 32",
  ],
  ["a key that is not base64", `a:${"?".repeat(44)}`, "item 1 has a key that is not base64"],
  ["an id that is invalid in sealed text", `a.b:${key}`, "item 1 has an id"],
  ["a repeated id", `a:${key},a:${newKey()}`, "item 2 has the id of an earlier one"],
  ["only commas", " , ", "it holds no key"],
])("%s is reported, and no key is shown", (_, text, words) => {
  const message = problemOf({ DATA_KEYS: text });
  expect(message).toContain(`DATA_KEYS is not valid: ${words}`);
  expect(message).toContain("openssl rand -base64 32");
  const shown = text.split(/[,:]/).filter((item) => item.length > 10 && message.includes(item));
  expect(shown).toEqual([]);
});
