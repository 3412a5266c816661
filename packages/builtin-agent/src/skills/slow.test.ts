import { setImmediate, setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { ask, NOON, noFile } from "../testing/ask-builtin.ts";
import { createBuiltinAgent } from "../builtin-agent.ts";

const task = { task_id: "t1", correlation_id: "c1", thread: [], attachments: [] };

describe("slow", () => {
  test("takes the requested time, and reports the time by the given clock", async () => {
    const start = performance.now();
    let reads = 0;
    const now = (): Date => new Date(NOON.getTime() + 1500 * reads++);
    const { response_text } = await createBuiltinAgent().run(
      { ...task, text: "slow 0.2 and say *this*" },
      { signal: new AbortController().signal, now, readFile: noFile },
    );
    expect(performance.now() - start).toBeGreaterThan(190);
    expect(response_text).toContain("**1.5 seconds**. You asked for 0.2.");
    expect(response_text).toContain("You said: `and say *this*`");
  });

  test.each(["slow", "slow 60", "slow 5 seconds"])(
    "%s ends at once if it is aborted, with the signal's reason",
    async (text) => {
      const controller = new AbortController();
      const reason = new Error("canceled by the person");
      const running = createBuiltinAgent().run(
        { ...task, text },
        { signal: controller.signal, now: () => NOON, readFile: noFile },
      );
      await setTimeout(20);
      controller.abort(reason);
      const nextTurn = setImmediate("still running");
      expect(await Promise.race([running.catch((error: unknown) => error), nextTurn])).toBe(reason);
    },
  );

  test("refuses more than two minutes", async () => {
    expect(await ask("slow 121")).toBe("I can be slow for at most 120 seconds.");
    expect(await ask("slow 999999999")).toContain("at most 120 seconds");
  });
});
