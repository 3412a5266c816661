import { Readable } from "node:stream";
import { tempFile } from "@crosszone/testkit/temporary";
import { describe, expect, test } from "vitest";
import { UsageError } from "../program/session.ts";
import { healthText } from "./agents/agents-test.ts";
import { readInput } from "./run.ts";
import { checkDefinition } from "./workflows.ts";

const nothing = Readable.from([]);

const read = async (...given: string[]): Promise<unknown> => (await readInput(given, nothing)).input;

const fileOf = (content: string): string => tempFile("input.json", content);

const probe = { name: "a", status: "healthy", checked_at: "2026-11-21T06:00:00Z", duration_ms: 7 } as const;

describe("definitions", () => {
  const head =
    "workflow_id: w\nname: W\nversion: 1.0.0\nstart_step: a\nsteps:\n  a: { id: a, type: agent, agent_name: b, input_mapping: { text: x } }\n";

  test.each([
    [
      "a number that JSON can't keep",
      "output_mapping: { big: 12345678901234567890 }",
      "7:24: 12345678901234567890 would become 12345678901234567000: put quotes around it",
    ],
    ["a second document", "---\nworkflow_id: two", "7:1: one file is one workflow: split at line 7"],
    [
      "a default that would change",
      'output_mapping: { x: "${a.output ?? -0}" }',
      /7:19: \/output_mapping\/x .*the default after \?\? can't be kept as sent: the value is -0, which would become 0/,
    ],
  ])("validate names the place of %s", async (_name, text, report) => {
    const file = tempFile("w.yaml", head + text);
    const { problems } = await checkDefinition(file);
    expect(problems.replaceAll(`${file}:`, "")).toMatch(report);
  });

  test("merge keys and steps as a list had several errors, or a sentence without an end", async () => {
    const merged = `${head.replace("a: {", "a: &a {")}  b:\n    <<: *a\n    id: b\n`;
    const listed = head.replace("  a: {", "  - {");
    const reports = [merged, listed].map(async (text) => {
      const file = tempFile("w.yaml", text);
      return (await checkDefinition(file)).problems.replaceAll(`${file}:`, "");
    });
    expect(await Promise.all(reports)).toEqual([
      "8:5: YAML merge keys are not supported: write the members out",
      "5:1: /steps must be a map by id, not a list",
    ]);
  });
});

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
    [['{"id":12345678901234567890}'], /\/id is 12345678901234567890, which would become 12345678901234567000/],
    [['{"a":1,"a":2}'], /\/a is there twice/],
    [['ids={"a":-0}'], /--input ids can't be used: .*\/a is -0/],
    [['{"size":1e999}'], /\/size is 1e999, which would become null/],
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
