import type { AgentSummary } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { agentsList } from "./agents-list.ts";

const agent = (name: string, more: Partial<AgentSummary> = {}): AgentSummary => ({
  name,
  description: `Knows ${name}`,
  default: false,
  skills: [],
  ...more,
});

test("nobody is said to be there when nobody is", () => {
  expect(agentsList([])).toBe("There is nobody to ask right now.");
});

test("a name that cannot be written as it is, is shown as it has to be written", () => {
  expect(agentsList([agent("night owl")])).toContain('`ask "night owl": your question`');
  expect(agentsList([agent("a:b")])).toContain('`ask "a:b": your question`');
});

test("the example asks somebody who would not answer otherwise, if there is one", () => {
  const main = agent("main", { default: true });
  expect(agentsList([main, agent("night")])).toContain("`ask night: your question`");
  expect(agentsList([main])).toContain("`ask main: your question`");
});

test("who answers when nobody is named comes first, however many there are", () => {
  const all = [...Array.from({ length: 30 }, (_none, at) => agent(`a${at}`)), agent("main", { default: true })];
  const lines = agentsList(all).split("\n");
  expect(lines[1]).toBe("- **main** (answers when you name nobody): Knows main");
  expect(lines).toContain("- … and 11 more: `/agents word` shows those that have the word.");
});

test("what is long is one line each, and all of it one message", () => {
  const description = `first line\nsecond line ${"🦉".repeat(1_000)}`;
  const skills = [{ id: "s", name: "s", description: "s", examples: ["e\n".repeat(1_000)] }];
  const text = agentsList(
    Array.from({ length: 25 }, (_none, at) => agent(`${at}`.repeat(120), { description, skills })),
  );
  expect(text.length).toBeLessThan(10_500);
  expect(text).toContain("first line second line 🦉");
  expect(text.isWellFormed()).toBe(true);
});

test("a word is looked for in names and descriptions, whatever its case", () => {
  const all = [agent("one"), agent("two", { description: "Speaks German" }), agent("three")];
  expect(agentsList(all, " german ").match(/\*\*\w+\*\*/g)).toEqual(["**two**"]);
  expect(agentsList(all, "THRE").match(/\*\*\w+\*\*/g)).toEqual(["**three**"]);
  expect(agentsList(all, "x\n\ny")).toContain("No agent has “x y” in its name");
});
