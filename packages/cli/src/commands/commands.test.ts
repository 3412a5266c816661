import { Readable } from "node:stream";
import { tempFile } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { UsageError } from "../program/errors.ts";
import { healthText } from "./agents-test.ts";
import { readInput } from "./run-input.ts";

const nothing = Readable.from([]);

const read = async (...given: string[]): Promise<unknown> => (await readInput(given, nothing)).input;

const fileOf = (content: string): string => tempFile("input.json", content);

const probe = { name: "a", status: "healthy", checked_at: "2026-11-21T06:00:00Z", duration_ms: 7 } as const;

describe("run input", () => {
  test("without --input, the request has no input", async () => {
    expect(await readInput([], nothing)).toEqual({});
  });

  test("an input can be any JSON, in the argument, in a file or on the standard input", async () => {
    expect(await read('{"text":"a=b"}')).toEqual({ text: "a=b" });
    expect(await read('"a=b"')).toBe("a=b");
    expect(await read("[1]")).toEqual([1]);
    expect(await read(`@${fileOf('\ufeff{"a":1}')}`)).toEqual({ a: 1 });
    expect(await readInput(["-"], Readable.from(['{"a"', ": 2}"]))).toEqual({ input: { a: 2 } });
  });

  test.each([
    ["text=hello there", { text: "hello there" }],
    ["text=", { text: "" }],
    ["text=a=b", { text: "a=b" }],
    ["text=two\nlines", { text: "two\nlines" }],
    ["count=3", { count: 3 }],
    ["draft=false", { draft: false }],
    ['texts=["a","b"]', { texts: ["a", "b"] }],
    ['count="3"', { count: "3" }],
    ["id=12345678901234567890", { id: "12345678901234567890" }],
    ["size=1e999", { size: "1e999" }],
  ])("%s is a member, with the type of its JSON", async (pair, input) => {
    expect(await read(pair)).toEqual(input);
  });

  test("members override a document, the last one of a name wins, and none sets a prototype", async () => {
    expect(await read("a=1", '{"a":0,"b":0}', "b=2", "b=3")).toEqual({ a: 1, b: 3 });
    const input = await read('__proto__={"a":1}');
    expect(Object.getPrototypeOf(input)).toBe(Object.prototype);
    expect(Object.keys(input as object)).toEqual(["__proto__"]);
  });

  test.each([
    [["hello"], /neither JSON .* nor key=value/],
    [["{a=1}"], /neither JSON/],
    [["1", "2"], /Only one --input/],
    [["[1]", "a=1"], /needs an object to add to/],
    [["@/nowhere/input.json"], /Cannot read \/nowhere\/input.json/],
    [["-"], /standard input is not JSON/],
    [['{"size":1e999}'], /a number that is too large/],
  ])("%j is refused with a sentence", async (given, sentence) => {
    const error = await read(...given).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(UsageError);
    expect((error as Error).message).toMatch(sentence);
  });

  test("the error for a file that is not JSON names the file", async () => {
    const file = fileOf("a: 1");
    await expect(read(`@${file}`)).rejects.toThrow(`${file} is not JSON`);
  });
});

test("the versions of A2A are named once each; the version of another binding is not a version of A2A", () => {
  const supportedInterfaces = [
    { protocolBinding: "JSONRPC", protocolVersion: "1.0" },
    { protocolBinding: "GRPC", protocolVersion: "1.0" },
    { protocolBinding: "https://crosszone.dev/bindings/zone-link", protocolVersion: "7.0.0" },
    null,
  ];
  const card = { name: "Zone", supportedInterfaces };
  expect(healthText({ ...probe, card })).toBe("It is healthy (7 ms).\nCard: Zone, A2A 1.0\n");
});
