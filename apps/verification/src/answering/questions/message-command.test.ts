import { expect, test } from "vitest";
import { readCommand } from "./message-command.ts";

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
