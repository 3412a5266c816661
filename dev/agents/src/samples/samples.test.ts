import { expect, test } from "vitest";
import { samples } from "./samples.ts";

test("every sample describes itself as a sample, and answers its own example", () => {
  for (const { description, example, work } of samples) {
    expect(description).toMatch(/^Sample agent: /);
    expect(work(example)).not.toBe("");
  }
});
