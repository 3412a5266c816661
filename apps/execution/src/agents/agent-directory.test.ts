import { describe, expect, test } from "vitest";
import type { Agent } from "./agent.ts";
import { createAgentDirectory } from "./agent-directory.ts";

function agentNamed(name: string): Agent {
  return { name, description: "", skills: [], run: () => Promise.resolve({ response_text: name }) };
}

describe("agent directory", () => {
  const [one, two] = [agentNamed("one"), agentNamed("two")];
  const directory = createAgentDirectory([one, two], "two");

  test("resolves by name, and the default without one", () => {
    expect(directory.resolve("one")).toBe(one);
    expect(directory.resolve()).toBe(two);
    expect(directory.resolve(undefined)).toBe(two);
  });

  test.each(["three", "", "One", "__proto__", "constructor", "toString"])("knows no agent called %j", (name) => {
    expect(directory.resolve(name)).toBeUndefined();
  });

  test("lists a copy, in the given order", () => {
    expect(directory.list()).toEqual([one, two]);
    directory.list().pop();
    expect(directory.list()).toHaveLength(2);
  });

  test("an agent may be called like an object member", () => {
    const odd = agentNamed("__proto__");
    expect(createAgentDirectory([odd], "__proto__").resolve()).toBe(odd);
  });

  test("refuses two agents of one name, and a default that does not exist", () => {
    expect(() => createAgentDirectory([one, agentNamed("one")], "one")).toThrow('"one"');
    expect(() => createAgentDirectory([one], "two")).toThrow('"two"');
    expect(() => createAgentDirectory([], "two")).toThrow("none");
  });
});
