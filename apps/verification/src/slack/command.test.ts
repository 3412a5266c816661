import { expect, test } from "vitest";
import { readCommand } from "./command.ts";

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
  ["what is 1 < 2?", { kind: "ask", text: "what is 1 < 2?" }],
])("“%s”", (text, command) => {
  expect(readCommand(text)).toEqual(command);
});

test("a message that is half a million exclamation marks and no command does not hold up the events of others", () => {
  const text = `${"!".repeat(500_000)}x`;
  expect(readCommand(text)).toEqual({ kind: "ask", text });
  expect(readCommand(`stop${"!".repeat(50)}`)).toEqual({ kind: "stop" });
});
