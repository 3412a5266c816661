import { expect, test } from "vitest";
import type { OpenModel } from "../models/open-model.ts";
import { askAssistant, toolThat } from "./ask-assistant.ts";

/** The questions. A recorded model has to know them. */
export const liveQuestions = {
  stream: "Count from one to thirty in English words, separated by commas. Write nothing else.",
  tool: "Use the tool read_code_word, then tell me the code word that it gave you.",
} as const;

/** Known only to a tool of these cases. */
export const codeWord = "heliotrope-4711";

/** The cases that every model has to pass, from any provider. `open` returns a model; each case is one question. */
export function liveCases(open: () => Promise<OpenModel>): void {
  test("streams a text with the provider's token count", async () => {
    const model = await open();
    const { answer, shown, error } = await askAssistant(model, { question: { text: liveQuestions.stream } });
    expect(error).toBeUndefined();
    expect(answer?.text).toMatch(/one.*twenty.*thirty/is);
    expect(shown.join("")).toBe(answer?.text);
    expect(shown.length).toBeGreaterThan(1);
    expect(answer?.usage).toMatchObject({ model: model.name });
    expect(answer?.usage).not.toHaveProperty("estimated");
    expect(answer?.usage.input_tokens).toBeGreaterThan(50);
    expect(answer?.usage.output_tokens).toBeGreaterThan(10);
  });

  test("calls a tool and answers with its result in a second step", async () => {
    const run = async () => ({ text: `The code word is ${codeWord}.` });
    const readCodeWord = toolThat(run, {
      name: "read_code_word",
      description: "Reads the code word of today.",
      inputSchema: { type: "object", properties: {} },
    });
    const { answer, steps, error } = await askAssistant(await open(), {
      question: { text: liveQuestions.tool, tools: [readCodeWord] },
    });
    expect(error).toBeUndefined();
    expect(answer?.text).toContain(codeWord);
    expect(steps.at(-1)).toMatchObject([{ state: "succeeded" }]);
  });

  test("stops when the question is stopped, and counts the usage so far", async () => {
    const controller = new AbortController();
    const reason = new Error("canceled by the person");
    const { error, shown, usage } = await askAssistant(await open(), {
      question: { text: liveQuestions.stream },
      signal: controller.signal,
      onText: () => controller.abort(reason),
    });
    expect(error).toBe(reason);
    expect(shown.join("")).not.toMatch(/thirty/i);
    expect(usage).toMatchObject([{ estimated: true }]);
    expect(usage[0]?.input_tokens).toBeGreaterThan(50);
  });
}
