import { setImmediate, setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ask, NOON, run, noFile } from "./testing/ask-builtin.ts";
import { createBuiltinAgent, INTRODUCTION, OTHER_AGENTS } from "./builtin-agent.ts";

const agent = createBuiltinAgent();

describe("builtin agent", () => {
  test("describes itself and its skills without their functions", () => {
    expect(agent.name).toBe("builtin");
    expect(agent.description).toContain("No language model");
    const ids = agent.skills.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const skill of agent.skills) {
      expect(Object.keys(skill)).toEqual(["id", "name", "description", "examples"]);
      expect(skill.examples.length).toBeGreaterThan(0);
    }
    expect(structuredClone(agent.skills)).toEqual(agent.skills);
  });

  test("Q16: says that no language model is connected, unless one is, and names no variable or page", async () => {
    for (const text of ["hello", "help", "write a poem"]) {
      expect(await ask(text)).toContain(
        "No language model is connected. The people who run this service can connect one.",
      );
      expect(await ask(text)).not.toMatch(/[A-Z]+_[A-Z]+|docs\//);
    }
    const beside = createBuiltinAgent({ hasModel: true });
    const input = { task_id: "t1", correlation_id: "c1", text: "hello", thread: [], attachments: [] };
    const context = { signal: new AbortController().signal, now: () => NOON, readFile: noFile };
    expect(beside.description).toBe("Calculates offline.");
    expect((await beside.run(input, context)).response_text).not.toContain("No language model");
  });

  const examples = agent.skills.flatMap(({ id, examples: messages }) =>
    messages.map((message) => [message, id] as const),
  );
  test.each(examples.filter(([, id]) => id !== "slow"))("example %j is answered by %s", async (message, id) => {
    const { response_text, skill } = await run(message);
    expect(skill).toBe(id);
    expect(response_text).not.toMatch(/I can't|too large/);
  });
});

describe("help", () => {
  test.each(["help", "Help!", "", "  ", "???", "what can you do?", "who are you"])(
    "%j is answered with an introduction first, and with how to reach other agents last",
    async (text) => {
      const { response_text, skill, follow_ups } = await run(text);
      expect(skill).toBe("help");
      expect(follow_ups).toEqual(["12% of 340", "slow"]);
      expect(response_text.split("\n")[0]).toBe(INTRODUCTION);
      expect(response_text).toContain("- **Arithmetic**: `12% of 340`");
      expect(response_text.endsWith(OTHER_AGENTS)).toBe(true);
    },
  );

  test.each([
    ["hello", `Hello! ${INTRODUCTION}`],
    ["echo *hello*\n# there!", "`*hello* # there!`"],
    ["slow 121", "I can be slow for at most 120 seconds."],
    ["write a poem", `I can't answer that. ${INTRODUCTION}`],
    [`echo ${"a".repeat(996)}`, `That is too long: I read up to 1000 characters. ${INTRODUCTION}`],
  ])("%s", async (text, expected) => {
    expect(await ask(text)).toContain(expected);
  });

  test.each(["write a poem", "helpful", "echoes", "slowly", "a".repeat(1001)])("no skill answers %j", async (text) => {
    expect(Object.keys(await run(text))).toEqual(["response_text"]);
  });
});

describe("slow", () => {
  const task = { task_id: "t1", correlation_id: "c1", thread: [], attachments: [] };

  test("takes the requested time, and reports the time by the given clock", async () => {
    const start = performance.now();
    let reads = 0;
    const now = (): Date => new Date(NOON.getTime() + 1500 * reads++);
    const { response_text } = await agent.run(
      { ...task, text: "slow 0.2 and say *this*" },
      { signal: new AbortController().signal, now, readFile: noFile },
    );
    expect(performance.now() - start).toBeGreaterThan(190);
    expect(response_text).toContain("**1.5 seconds**. You asked for 0.2.");
    expect(response_text).toContain("You said: `and say *this*`");
  });

  test("ends at once if it is aborted, with the signal's reason", async () => {
    const controller = new AbortController();
    const reason = new Error("canceled by the person");
    const running = agent.run(
      { ...task, text: "slow" },
      { signal: controller.signal, now: () => NOON, readFile: noFile },
    );
    await setTimeout(20);
    controller.abort(reason);
    const nextTurn = setImmediate("still running");
    expect(await Promise.race([running.catch((error: unknown) => error), nextTurn])).toBe(reason);
  });
});
