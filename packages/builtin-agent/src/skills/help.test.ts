import { describe, expect, test } from "vitest";
import { ask, run } from "../testing/ask-builtin.ts";
import { INTRODUCTION, OTHER_AGENTS } from "./help.ts";

describe("help", () => {
  test("the introduction says what is missing, and the help ends with how to reach other agents", async () => {
    expect(INTRODUCTION).toContain("built-in agent");
    expect(INTRODUCTION).toContain("without a language model");
    expect((await ask("help")).endsWith(OTHER_AGENTS)).toBe(true);
  });

  test.each(["help", "Help!", "", "  ", "???", "what can you do?", "who are you", "are you ChatGPT?", "ヘルプ"])(
    "%j is answered with an introduction first",
    async (text) => {
      const { response_text, skill } = await run(text);
      expect(skill).toBe("help");
      expect(response_text.split("\n")[0]).toBe(INTRODUCTION);
      expect(response_text).toContain("- **Arithmetic**: `12% of 340`");
    },
  );

  test.each(["hello", "Hi there!", "good morning", "こんにちは"])(
    "%j is answered with a greeting and the introduction",
    async (text) => {
      expect((await ask(text)).split("\n")[0]).toBe(`Hello! ${INTRODUCTION}`);
    },
  );

  test.each([
    ["help dates", "**Dates**"],
    ["help arithmetic", "**Arithmetic**"],
    ["help me with unit conversion", "**Unit conversion**"],
    ["help on csv", "**CSV**"],
    ["help summary", "**Thread summary**"],
    ["help slow", "**Slow answer**"],
    ["help arithmatic", "**Arithmetic**"],
  ])("%s explains that skill with its examples", async (text, name) => {
    const answer = await ask(text);
    expect(answer).toContain(INTRODUCTION);
    expect(answer).toContain(`${name}: `);
    expect(answer.split("\n").length).toBeLessThan(16);
  });

  test("help for something unknown lists everything", async () => {
    expect(await ask("help qqq")).toContain("- **Time zones**");
  });

  test("a greeting in front of a question does not hide the question", async () => {
    expect((await run("Hello, what is 2+2?")).skill).toBe("arithmetic");
  });

  test("thanks are acknowledged", async () => {
    expect(await ask("thank you so much!")).toContain("You are welcome");
  });
});
