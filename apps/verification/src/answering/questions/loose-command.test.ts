import { expect, test } from "vitest";
import { readLooseCommand } from "./message-command.ts";

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
