import { expect, test } from "vitest";
import { answerWith } from "./answer-with.ts";

const key = "https://crosszone.dev/follow-ups";
const part = { kind: "text", text: "Done." };

test("follow-ups of artifacts, message and task are the answer's: at most 4, each once, those that fit a button", () => {
  const output = {
    artifacts: [{ parts: [part], metadata: { [key]: ["a", " b\n c ", "x".repeat(76), 7, ""] } }],
    message: { parts: [part], metadata: { [key]: ["a", "x".repeat(75)] } },
    metadata: { [key]: ["d", "e"] },
  };
  expect(answerWith(output)).toMatchObject({ follow_ups: ["a", "b c", "x".repeat(75), "d"] });
});

test.each([undefined, "text", {}, { metadata: { [key]: "no list" } }, { metadata: { [key]: [""] } }])(
  "an output without any has none: %j",
  (output) => expect(answerWith(output).follow_ups).toBeUndefined(),
);
