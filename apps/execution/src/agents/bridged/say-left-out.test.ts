import { expect, test } from "vitest";
import { sayLeftOut } from "./say-left-out.ts";

const answer = { response_text: "Three pages.", awaits: "input" } as const;

test("I5: the answer ends with the files that the agent did not get, and why", () => {
  const leftOut = [
    { name: "report.pdf", reason: "too large" },
    { name: "<!channel>\n.txt", reason: "unreadable" },
    { name: undefined, reason: "unreadable" },
  ] as const;
  expect(sayLeftOut(answer, "counter", leftOut)).toEqual({
    response_text:
      "Three pages.\n\nNot sent to counter: report.pdf (too large), _!channel_.txt (unreadable), a file (unreadable).",
    awaits: "input",
  });
});

test("an answer to a question whose files all arrived stays as it is", () => {
  expect(sayLeftOut(answer, "counter", [])).toBe(answer);
});
