import { createSecretKey, randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { createRecordCodec, createVault } from "./vault.ts";

const vault = createVault([{ id: "k1", key: createSecretKey(randomBytes(32)) }]);
/** Texts of people: U+0000, half a surrogate pair, and text that looks sealed. */
const records = [{ text: "a\u0000b\ud800 ’ 語", more: [1, null] }, "v1.k1.abc", "", 7, null, []];

test("a record comes back as it was, sealed or not, and in the column there is no byte of it when it is", () => {
  for (const codec of [createRecordCodec(vault), createRecordCodec(undefined)])
    for (const record of records) expect(codec.fromColumn(codec.toColumn(record, "row"), "row")).toEqual(record);
  expect(createRecordCodec(vault).toColumn(records[0], "row")).toMatch(/^v1\.k1\.[\w-]+$/);
});

test("what was stored before there were keys is still read", () => {
  for (const record of records)
    expect(createRecordCodec(vault).fromColumn(createRecordCodec(undefined).toColumn(record, "row"), "row")).toEqual(
      record,
    );
});

test("without the keys, and in another row, a sealed record does not open", () => {
  const text = createRecordCodec(vault).toColumn({ text: "secret" }, "row 1");
  expect(() => createRecordCodec(undefined).fromColumn(text, "row 1")).toThrow(/DATA_KEYS has no key/);
  expect(() => createRecordCodec(vault).fromColumn(text, "row 2")).toThrow(/belongs elsewhere/);
});
