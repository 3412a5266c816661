import { expect, test } from "vitest";
import { findKeywords, proofread, samples } from "./samples.ts";

test("the proofreader finds and counts mistakes, and leaves correct text unchanged", () => {
  expect(proofread("This is is a test .")).toBe(
    "2 things to look at:\n- “is” appears twice in a row.\n- There is a space between “test” and “.”.",
  );
  expect(proofread(`${"word and ".repeat(20)}end. Short.`)).toContain("“word and word and” has 41 words");
  expect(proofread("All is well.")).toBe("Nothing to change in 3 words.");
  expect(proofread(" … ")).toBe("There is no word in it.");
});

test("keywords are the most frequent words, without stop words", () => {
  expect(findKeywords("The Bridge asks the agent; the agent answers this bridge: agent!")).toBe(
    "- agent, 3 times\n- bridge, 2 times\n- asks, once\n- answers, once",
  );
  expect(findKeywords("a b c, this that")).toContain("no word");
});

test("every sample describes itself as a sample, and answers its own example", () => {
  for (const { description, example, work } of samples) {
    expect(description).toMatch(/^Sample agent: /);
    expect(work(example)).not.toBe("");
  }
});
