import { describe, expect, test } from "vitest";
import { AssistantError } from "./failure.ts";
import { askAssistant, call, finish, scriptedModel, text, toolThat } from "./testing/ask-assistant.ts";

const lookup = toolThat(async () => ({ text: "42" }));

describe("an answer", () => {
  test("is the text of all steps, in order, as it was displayed", async () => {
    const model = scriptedModel(
      [...text("  Let me ", "look."), call("lookup", { text: "x" }), finish("tool-calls")],
      [...text("It is ", "42. \ud83d", "\ude00"), finish()],
    );
    const { answer, shown, steps } = await askAssistant(model, { question: { tools: [lookup] } });
    expect(answer?.text).toBe("Let me look.\n\nIt is 42. 😀");
    expect(shown.join("")).toBe(answer?.text);
    expect(shown.every((piece) => piece.isWellFormed())).toBe(true);
    expect(steps.map((all) => all.map(({ state }) => state))).toEqual([["running"], ["succeeded"]]);
    expect(model.calls).toHaveLength(2);
  });

  test.each([
    ["stop", "no_answer"],
    ["length", "output_limit"],
    ["content-filter", "refused"],
    ["interrupted", "no_answer"],
  ] as const)("without text that ends with %s is a failure", async (reason, expected) => {
    const { error } = await askAssistant(scriptedModel([...text(" \n"), finish(reason)]));
    expect(error).toMatchObject({ reason: expected });
    expect(error).toBeInstanceOf(AssistantError);
  });

  test("G3: that breaks off keeps the displayed text, without the provider's message", async () => {
    const broken = scriptedModel(() => [...text("Half an"), new TypeError("terminated")]);
    const { answer, usage } = await askAssistant(broken);
    expect(answer?.text).toMatch(/^Half an\n\n_This answer is incomplete\. The connection/);
    expect(usage[0]).toMatchObject({ estimated: true, output_tokens: 2 });
  });
});

describe("bounds", () => {
  test("the last step gets no tools, and a turn that only calls tools fails", async () => {
    const model = scriptedModel(() => [call("lookup", {}), finish("tool-calls")]);
    const { error } = await askAssistant(model, { question: { tools: [lookup] }, limits: { steps: 3 } });
    expect(error).toMatchObject({ reason: "step_limit" });
    expect(model.calls.map(({ toolChoice }) => toolChoice?.type)).toEqual(["auto", "auto", "none"]);
  });

  test("a call is retried only until it has produced text", async () => {
    const overloaded = Object.assign(new Error("busy"), { name: "AI_APICallError", statusCode: 529 });
    const retried = await askAssistant(scriptedModel(overloaded, () => [overloaded], [...text("ok"), finish()]));
    expect(retried.answer?.text).toBe("ok");
    expect(retried.retries).toHaveLength(2);
    const spent = scriptedModel(overloaded);
    expect((await askAssistant(spent)).error).toMatchObject({ reason: "overloaded" });
    expect(spent.calls).toHaveLength(3);
    const shown = scriptedModel(() => [...text("A"), overloaded]);
    expect((await askAssistant(shown)).answer?.text).toContain("overloaded");
    expect(shown.calls).toHaveLength(1);
  });

  test("a failed turn says for operators which model failed, how, after how many attempts and tokens", async () => {
    const down = Object.assign(new Error("planted words"), { name: "AI_APICallError", statusCode: 500 });
    const named = (model: ReturnType<typeof scriptedModel>) => ({ ...model, name: "anthropic/claude-sonnet-4-6" });
    const { error } = await askAssistant(named(scriptedModel(down)));
    expect(error).toMatchObject({
      detail:
        "anthropic/claude-sonnet-4-6: unavailable: AI_APICallError (status 500): planted words, 3 attempts, no tokens",
    });
    const later = scriptedModel([call("lookup", {}), finish("tool-calls")], down);
    const second = await askAssistant(named(later), { question: { tools: [lookup] }, limits: { attempts: 1 } });
    expect(second.error).toMatchObject({
      detail: expect.stringMatching(
        /\(status 500\): planted words, 1 attempt, 10 input and 5 output tokens$/,
      ) as string,
    });
  });

  test("a turn that is stopped rejects with the reason and counts an estimate", async () => {
    const controller = new AbortController();
    const reason = new Error("canceled by the person");
    const model = scriptedModel(() => {
      queueMicrotask(() => controller.abort(reason));
      return [...text("A".repeat(40)), finish()];
    });
    const slow = toolThat(() => new Promise(() => controller.abort(reason)));
    const { error, usage } = await askAssistant(scriptedModel([call("lookup", {}), finish("tool-calls")]), {
      question: { tools: [slow] },
      signal: controller.signal,
    });
    expect(error).toBe(reason);
    expect(usage).toHaveLength(1);
    expect((await askAssistant(model, { signal: controller.signal })).error).toBe(reason);
  });
});
