import * as fc from "fast-check";
import { createSecretKey, randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, test } from "vitest";
import { ConfigError } from "./config-error.ts";
import type { Environment } from "./definition.ts";
import { loadConfig } from "./load-config.ts";
import {
  dataKeysProblems,
  dataKeysVariables,
  vaultOf,
  createVault,
  SealedTextError,
  type SealedTextReason,
  type VaultKey,
  createRecordCodec,
} from "./vault.ts";

const newKey = (id: string): VaultKey => ({ id, key: createSecretKey(randomBytes(32)) });

function reasonOf(open: () => unknown): SealedTextReason | undefined {
  try {
    open();
  } catch (error) {
    if (error instanceof SealedTextError) return error.reason;
    throw error;
  }
  return undefined;
}

test("any text is opened unchanged, and no two seals of it are equal", () => {
  const vault = createVault([newKey("k1")]);
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string(), (text, context) => {
      const [one, other] = [vault.seal(text, context), vault.seal(text, context)];
      expect(one).toMatch(/^v1\.k1\.[\w-]+$/);
      expect(one).not.toBe(other);
      expect(vault.open(one, context)).toBe(text);
    }),
  );
});

test("sealed text reveals only the length of the text", () => {
  const sealed = createVault([newKey("k1")]).seal("xoxb-very-secret", "bot_token of T1");
  expect(Buffer.from(sealed.slice("v1.k1.".length), "base64url")).toHaveLength("xoxb-very-secret".length + 28);
  expect(Buffer.from(sealed.slice("v1.k1.".length), "base64url").toString("latin1")).not.toContain("xoxb");
});

test("a value that was moved to another row cannot be opened", () => {
  const vault = createVault([newKey("k1")]);
  const sealed = vault.seal("secret", "installation bot_token T1");
  expect(reasonOf(() => vault.open(sealed, "installation bot_token T2"))).toBe("not_authentic");
  expect(reasonOf(() => vault.open(sealed, ""))).toBe("not_authentic");
});

test("sealed text with any changed or missing byte cannot be opened", () => {
  const vault = createVault([newKey("k1")]);
  const sealed = vault.seal("secret", "row");
  const bytes = Buffer.from(sealed.slice("v1.k1.".length), "base64url");
  for (let at = 0; at < bytes.length; at += 1) {
    const changed = Buffer.from(bytes);
    changed[at] = (changed[at] ?? 0) ^ 1;
    expect(reasonOf(() => vault.open(`v1.k1.${changed.toString("base64url")}`, "row"))).toBe("not_authentic");
    const shorter = `v1.k1.${bytes.subarray(0, at).toString("base64url")}`;
    expect(reasonOf(() => vault.open(shorter, "row"))).toBe(at < 28 ? "malformed" : "not_authentic");
  }
});

test("after a new first key the old one still opens, and the prefix shows which key sealed a text", () => {
  const [old, young] = [newKey("2025"), newKey("2026")];
  const before = createVault([old]).seal("secret", "row");
  const vault = createVault([young, old]);
  expect(vault.open(before, "row")).toBe("secret");
  const after = vault.seal("secret", "row");
  expect([before.startsWith(vault.prefix), after.startsWith(vault.prefix)]).toEqual([false, true]);
  expect(reasonOf(() => createVault([young]).open(before, "row"))).toBe("unknown_key");
});

test("another key with the same id, and another id for the same key, open nothing", () => {
  const [one, other] = [newKey("a"), newKey("a")];
  const sealed = createVault([one]).seal("secret", "row");
  expect(reasonOf(() => createVault([other]).open(sealed, "row"))).toBe("not_authentic");
  const renamed = createVault([{ ...one, id: "b" }]);
  expect(reasonOf(() => renamed.open(sealed.replace("v1.a.", "v1.b."), "row"))).toBe("not_authentic");
});

test.each(["", "plain text", "v1.a", "v1.a.", "v2.a.AAAA", "v1.a.***", "v1.a.AAAA\n"])(
  "“%s” is not sealed text",
  (text) => {
    const vault = createVault([newKey("a")]);
    expect(reasonOf(() => vault.open(text, "row"))).toBe("malformed");
  },
);

const vault = createVault([{ id: "k1", key: createSecretKey(randomBytes(32)) }]);
/** Texts of people: U+0000, half a surrogate pair, and text that looks sealed. */
const records = [{ text: "a\u0000b\ud800 ’ 語", more: [1, null] }, "v1.k1.abc", "", 7, null, []];

test("a record is read back unchanged, sealed or not, and a sealed column contains none of its bytes", () => {
  for (const codec of [createRecordCodec(vault), createRecordCodec(undefined)])
    for (const record of records) expect(codec.fromColumn(codec.toColumn(record, "row"), "row")).toEqual(record);
  expect(createRecordCodec(vault).toColumn(records[0], "row")).toMatch(/^v1\.k1\.[\w-]+$/);
});

test("records that were stored before keys existed are still readable", () => {
  for (const record of records)
    expect(createRecordCodec(vault).fromColumn(createRecordCodec(undefined).toColumn(record, "row"), "row")).toEqual(
      record,
    );
});

test("a sealed record cannot be opened without the keys or in another row", () => {
  const text = createRecordCodec(vault).toColumn({ text: "secret" }, "row 1");
  expect(() => createRecordCodec(undefined).fromColumn(text, "row 1")).toThrow(
    'sealed with the key "k1", which DATA_KEYS of this process lacks',
  );
  expect(() => createRecordCodec(vault).fromColumn(text, "row 2")).toThrow(/belongs elsewhere/);
});

const newKeyText = (): string => randomBytes(32).toString("base64");
const load = (env: Environment) => loadConfig(dataKeysVariables, env, dataKeysProblems).values;

test("keys come from the variable or from the file in DATA_KEYS_FILE, in any base64", async () => {
  const folder = tempFolder();
  const [one, two] = [newKeyText(), newKeyText()];
  const path = join(folder, "keys");
  writeFileSync(path, `new:${Buffer.from(two, "base64").toString("base64url")},old:${one}\n`);
  const sealed = vaultOf(load({ DATA_KEYS: `old:${one}` }))?.seal("secret", "row") ?? "";
  expect(sealed).toMatch(/^v1\.old\./);
  const loaded = vaultOf(load({ DATA_KEYS_FILE: path }));
  expect(loaded?.prefix).toBe("v1.new.");
  expect(loaded?.open(sealed, "row")).toBe("secret");
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

const key = newKeyText();
test.each([
  ["a key without an id", key, "item 1 has no id"],
  [
    "a key of the wrong length",
    `a:${key},b:${randomBytes(16).toString("base64")}`,
    "item 2 has a key of 16 bytes instead of 32",
  ],
  ["a key that is not base64", `a:${"?".repeat(44)}`, "item 1 has a key that is not base64"],
  ["an id that is invalid in sealed text", `a.b:${key}`, "item 1 has an id"],
  ["a repeated id", `a:${key},a:${newKeyText()}`, "item 2 has the id of an earlier one"],
  ["only commas", " , ", "it holds no key"],
])("%s is reported, and no key is shown", (_, text, words) => {
  const message = problemOf({ DATA_KEYS: text });
  expect(message).toContain(`DATA_KEYS is not valid: ${words}`);
  expect(message).toContain("openssl rand -base64 32");
  const shown = text.split(/[,:]/).filter((item) => item.length > 10 && message.includes(item));
  expect(shown).toEqual([]);
});
