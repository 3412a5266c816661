import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { describe, expect, test, vi } from "vitest";
import type { Agent } from "./agent.ts";
import { createAgentDirectory } from "./agent-directory.ts";

function agentNamed(name: string): Agent {
  return { name, description: "", skills: [], run: () => Promise.resolve({ response_text: name }) };
}

const sourceOf = (there: ReadonlyMap<string, Agent>) => ({
  find: async (name: string) => there.get(name),
  list: async () => [...there.values()],
});
const named = (...names: readonly string[]) => new Map(names.map((name) => [name, agentNamed(name)]));

describe("agent directory", () => {
  const [one, two] = [agentNamed("one"), agentNamed("two")];
  const directory = createAgentDirectory({ all: [one, two], default: "two" });

  test("finds an agent by name, and the default agent without a name", async () => {
    expect(await directory.resolve("one")).toBe(one);
    expect(await directory.resolve()).toBe(two);
    expect(await directory.resolve(undefined)).toBe(two);
  });

  test.each(["three", "", "One", "__proto__", "constructor", "toString"])("finds no agent named %j", async (name) => {
    expect(await directory.resolve(name)).toBeUndefined();
  });

  test("registered agents can come and go, precede the zone's own agents, and never replace one of the same name", async () => {
    const there = named("three", "one");
    const dynamic = createAgentDirectory({ all: [one, two], default: "two", registered: [sourceOf(there)] });
    expect(await dynamic.resolve("three")).toBe(there.get("three"));
    expect(await dynamic.resolve("one")).toBe(one);
    expect((await dynamic.list()).map(({ name }) => name)).toEqual(["three", "one", "two"]);
    there.clear();
    expect(await dynamic.resolve("three")).toBeUndefined();
    expect(await dynamic.list()).toEqual([one, two]);
  });

  test("several sources are queried in order; an agent with a used name is reported once, and never listed", async () => {
    const [first, second] = [sourceOf(named("three", "one")), sourceOf(named("four", "three", "two"))];
    const emit = vi.fn<Emit<ExecutionEvent>>();
    const several = createAgentDirectory({ all: [one, two], default: "two", registered: [first, second] }, emit);
    expect(await several.resolve("three")).toBe(await first.find("three"));
    expect(await several.resolve("four")).toBe(await second.find("four"));
    expect(await several.resolve("five")).toBeUndefined();
    for (let times = 0; times < 2; times++)
      expect((await several.list()).map(({ name }) => name)).toEqual(["three", "four", "one", "two"]);
    expect(emit.mock.calls.map(([, fields]) => fields?.["agent_name"])).toEqual(["one", "three", "two"]);
  });

  test("I6: the default can be a registered agent that is added later", async () => {
    const there = named();
    const late = createAgentDirectory({ all: [one], default: "four", registered: [sourceOf(there)] });
    expect(await late.resolve()).toBeUndefined();
    there.set("four", agentNamed("four"));
    expect(await late.resolve()).toBe(there.get("four"));
    expect(late.defaultName).toBe("four");
  });

  test("refuses two agents with the same name, and an unknown default", () => {
    expect(() => createAgentDirectory({ all: [one, agentNamed("one")], default: "one" })).toThrow('"one"');
    expect(() => createAgentDirectory({ all: [one], default: "two" })).toThrow('"two"');
    expect(() => createAgentDirectory({ all: [], default: "two" })).toThrow("none");
  });
});
