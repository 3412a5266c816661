import { createSecretKey, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createRecordCodec, createVault } from "./vault.ts";

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
  expect(() => createRecordCodec(undefined).fromColumn(text, "row 1")).toThrow(/DATA_KEYS has no key/);
  expect(() => createRecordCodec(vault).fromColumn(text, "row 2")).toThrow(/belongs elsewhere/);
});
