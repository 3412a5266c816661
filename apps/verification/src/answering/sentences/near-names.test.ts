import { expect, test } from "vitest";
import { nearNames } from "./no-such-agent.ts";

const names = ["translator", "transcriber", "night owl", "Researcher", "hr", "it", "日本語助手"];

test.each([
  ["translater", ["translator"]],
  ["tranlsator", ["translator"]],
  ["TRANSLATOR", ["translator"]],
  ["translat", ["translator"]],
  ["researcher-2", ["Researcher"]],
  ["night-owl", ["night owl"]],
  ["hr2", ["hr"]],
  ["日本語助", ["日本語助手"]],
  ["zebra", []],
  ["x", []],
])("%s suggests %j", (wanted, near) => {
  expect(nearNames(wanted, names)).toEqual(near);
});

test("the nearest names come first, three at most", () => {
  expect(nearNames("agent-1", ["agent-99", "agent-12", "agent-1", "agent-13", "agent-14"])).toEqual([
    "agent-1",
    "agent-12",
    "agent-13",
  ]);
});

test("names of any length are compared quickly", () => {
  const many = Array.from({ length: 2_000 }, (_none, at) => `${"a".repeat(250)}${at}`);
  expect(nearNames("b".repeat(255), many)).toEqual([]);
});
