import { expect, test } from "vitest";
import { createPlainDisplay } from "./follow-run.ts";
import type { StepLine } from "./run-steps.ts";

test("an ended step is printed when its duration is known, or at the end of the display", () => {
  const written: string[] = [];
  let lines: readonly StepLine[] = [];
  const output = { write: (text: string) => written.push(text) };
  const display = createPlainDisplay(output as never, () => lines);
  const step = { id: "seal", title: "Seal", depth: 0, state: "succeeded" } as const;
  lines = [step, { ...step, id: "post", title: "Post" }];
  display.update();
  expect(written).toEqual([]);
  lines = [
    { ...step, elapsedMs: 1_200 },
    { ...step, id: "post", title: "Post" },
  ];
  display.update();
  display.update();
  expect(written).toEqual(["succeeded  Seal (1.2s)\n"]);
  display.end();
  expect(written).toEqual(["succeeded  Seal (1.2s)\n", "succeeded  Post\n"]);
});
