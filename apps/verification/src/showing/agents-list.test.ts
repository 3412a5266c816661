import type { AgentSummary } from "@crosszone/contracts";
import { describe, expect, test } from "vitest";
import { agentsList } from "./agents-list.ts";

const agent = (name: string, more: Partial<AgentSummary> = {}): AgentSummary => ({
  name,
  description: `Knows ${name}`,
  default: false,
  skills: [],
  ...more,
});

test("a name that needs quotes is shown with quotes", () => {
  expect(agentsList([agent("night owl")])).toContain('`ask "night owl": your question`');
  expect(agentsList([agent("a:b")])).toContain('`ask "a:b": your question`');
});

test("agents come first, in execution's order, and the default agent is never cut off", () => {
  const main = agent("main", { default: true });
  const many = Array.from({ length: 30 }, (_none, at) => agent(`a${at}`));
  const lines = agentsList([...many, main]).split("\n");
  expect(lines[1]).toBe("- **a0**: Knows a0");
  expect(lines.slice(20, 23)).toEqual([
    "- **a19**: Knows a19",
    "- **main** (answers if you name no agent): Knows main",
    "- … and 10 more: `/agents word` shows those that have the word.",
  ]);
  expect(agentsList([main, agent("night")]).split("\n")[1]).toContain("**main**");
});

test("Q35: an agent that says nothing of itself is a name, without a colon that nothing follows", () => {
  expect(agentsList([agent("words", { description: " " })]).split("\n")[1]).toBe("- **words**");
});

test("with a word, the list has only those that have it in their name or description", () => {
  const all = [agent("translator", { description: "German and back" }), agent("builtin")];
  expect(agentsList(all, " GERMAN")).toContain("translator");
  expect(agentsList(all, "german")).not.toContain("builtin");
  expect(agentsList(all, "klingon")).toContain("Nothing has “klingon”");
});

test("the default agent shows one example, the others three", () => {
  const skills = ["p", "q", "r", "s"].map((id) => ({ id, name: id, description: id, examples: [`say ${id}`] }));
  const lines = agentsList([agent("night", { skills }), agent("main", { default: true, skills })]).split("\n");
  expect(lines.filter((line) => line.startsWith("  - e.g.")).map((line) => line.slice(-3, -1))).toEqual([
    " p",
    " q",
    " r",
    " p",
  ]);
});

test("Markdown, links and mentions in an agent's texts are shown as characters", () => {
  const description = "**free** [bank](https://evil.example) <!channel> `x`";
  const skills = [{ id: "s", name: "s", description: "s", examples: ["# *hi* @here"] }];
  const text = agentsList([agent("n*x*", { description, skills }), agent("w", { kind: "workflow", description })]);
  expect(text).toContain(String.raw`- **n\*x\***: \*\*free\*\* \[bank\](https://evil.example)`);
  expect(text).toContain(String.raw`“# \*hi\* @`);
  expect(text).toContain(String.raw`- \`run w: …\` – \*\*free\*\*`.replaceAll("\\`", "`"));
  expect(text).not.toMatch(/<!channel>|@here/);
});

test("a long text becomes one line each, and the list fits one message", () => {
  const description = `first line\nsecond line ${"🦉".repeat(1_000)}`;
  const skills = [{ id: "s", name: "s", description: "s", examples: ["e\n".repeat(1_000)] }];
  const text = agentsList(
    Array.from({ length: 25 }, (_none, at) => agent(`${at}`.repeat(120), { description, skills })),
  );
  expect(text.length).toBeLessThan(10_500);
  expect(text).toContain("first line second line 🦉");
  expect(text.isWellFormed()).toBe(true);
});

describe("workflows", () => {
  const workflow = (name: string, more: Partial<AgentSummary> = {}): AgentSummary =>
    agent(name, { kind: "workflow", ...more });

  test("get a section of their own that says how to run each", () => {
    const lines = agentsList([
      workflow("publish-text", { description: "Proofreads\nand seals." }),
      agent("main", { default: true }),
      workflow("night flow", { description: "" }),
    ]).split("\n");
    expect(lines.slice(0, 2)).toEqual([
      "Agents that you can ask:",
      "- **main** (answers if you name no agent): Knows main",
    ]);
    expect(lines.slice(-6, -2)).toEqual([
      "",
      "Workflows that you can run:",
      "- `run publish-text: …` – Proofreads and seals.",
      '- `run "night flow": …`',
    ]);
  });

  test("and agents together fit one message, however many and long", () => {
    const description = "x".repeat(200);
    const skills = [{ id: "s", name: "s", description: "s", examples: ["e".repeat(200)] }];
    const many = Array.from({ length: 60 }, (_none, at) => [
      agent(`a${at}${"y".repeat(120)}`, { description, skills }),
      workflow(`w${at}${"z".repeat(120)}`, { description }),
    ]).flat();
    const text = agentsList(many);
    expect(text.length).toBeLessThan(10_500);
    expect(text.match(/… and \d+ more/g)).toHaveLength(2);
  });
});
