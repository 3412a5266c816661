import { describe, expect, test } from "vitest";
import { judgeAnswerFiles } from "./answer-question.ts";
import { readCommand, readLooseCommand } from "./message-command.ts";

const file = (name: string, media_type: string, size = 10) => ({ id: name, name, media_type, size });

test("I5: an answer's files are judged like a question's files, and the refused files are named", () => {
  const rules = { types: ["image/*", "text/csv"], maxBytes: 2_000_000 };
  const files = [
    file("a.png", "image/png"),
    file("b.csv", "text/csv; charset=utf-8"),
    file("c.exe", "application/x-msdownload"),
    file("d.png", "image/png", 3_000_000),
  ];
  const { files: shown, note } = judgeAnswerFiles(files, rules);
  expect(shown.map(({ name }) => name)).toEqual(["a.png", "b.csv"]);
  expect(note).toMatch(
    /The file c\.exe is not attached: files of the type application\/x-msdownload are not allowed here/,
  );
  expect(note).toMatch(/The file d\.png is not attached: it is larger than 2 MB/);
  expect(judgeAnswerFiles(undefined, rules)).toEqual({ files: [], note: "" });
});

describe("loose command", () => {
  test.each([
    ["ask scout find it", { verb: "ask", agent: "scout", text: "find it" }],
    ["Ask scout", { verb: "ask", agent: "scout", text: "" }],
    ['run "my flow" {"a": 1}', { verb: "run", agent: "my flow", text: '{"a": 1}' }],
    ["@scout, two\nlines", { verb: "ask", agent: "scout", text: "two\nlines" }],
    ["@scout: hi", { verb: "ask", agent: "scout", text: "hi" }],
  ])("I6: %j can be a command", (text, command) => {
    expect(readLooseCommand(text)).toEqual(command);
  });

  test.each([
    "ask scout: with a colon",
    "ask",
    "run",
    "stop",
    "agents",
    "tell me",
    "please ask scout",
    "a@b.example",
    "",
  ])("I6: %j is not a command", (text) => {
    expect(readLooseCommand(text)).toBeUndefined();
  });
});

describe("message command", () => {
  test.each([
    ["stop", { kind: "stop" }],
    ["Cancel!", { kind: "stop" }],
    ["stop the music", { kind: "ask", text: "stop the music" }],
    ["agents", { kind: "agents" }],
    ["agents are great", { kind: "ask", text: "agents are great" }],
    ["ask researcher: what is new?", { kind: "ask", agent: "researcher", text: "what is new?" }],
    ["Ask r&d-team : line one\nline two", { kind: "ask", agent: "r&d-team", text: "line one\nline two" }],
    ['ask "Big Agent": hi', { kind: "ask", agent: "Big Agent", text: "hi" }],
    ["ask him whether: it works", { kind: "ask", text: "ask him whether: it works" }],
    ["run publish-text: a text", { kind: "run", agent: "publish-text", text: "a text" }],
    ['RUN "Big Flow" :\n{ "a": 1 }', { kind: "run", agent: "Big Flow", text: '{ "a": 1 }' }],
    ["run daily-report:", { kind: "run", agent: "daily-report", text: "" }],
    ["run the numbers: are they right?", { kind: "ask", text: "run the numbers: are they right?" }],
    ["run publish-text", { kind: "ask", text: "run publish-text" }],
    ["what is 1 < 2?", { kind: "ask", text: "what is 1 < 2?" }],
  ])("“%s”", (text, command) => {
    expect(readCommand(text)).toEqual(command);
  });

  test("a message of 500,000 exclamation marks does not block other events", () => {
    const text = `${"!".repeat(500_000)}x`;
    expect(readCommand(text)).toEqual({ kind: "ask", text });
    expect(readCommand(`stop${"!".repeat(50)}`)).toEqual({ kind: "stop" });
  });
});
