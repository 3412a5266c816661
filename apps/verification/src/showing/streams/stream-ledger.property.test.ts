import type { StepState, TaskProgress } from "@crosszone/contracts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { streamedText } from "../../testing/fake-slack.ts";
import { composeAnswer } from "../markdown/compose-answer.ts";
import { neutraliseLinks, neutraliseMentions } from "../markdown/neutralise.ts";
import { createStreamLedger, type StreamEnd } from "./stream-ledger.ts";

const word = fc.oneof(
  { weight: 5, arbitrary: fc.string({ maxLength: 20 }) },
  { weight: 2, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  fc.constantFrom(
    " ",
    "\n",
    "\n\n",
    "<@U1>",
    "<@U2> ",
    "<br> ",
    "<details>\n",
    "<summary>More</summary> ",
    "<!channel> ",
    "@here ",
    "&lt;!here&gt; ",
    "[https://bank.example](https://evil.example) ",
    "<https://evil.example|bank.example> ",
    "`[a.example](https://b.example)` ",
    "[b.example][1] ",
    "\n\n[1]: https://evil.example\n",
    "https://bank.example@evil.example ",
    "`",
    "\n```ts\n",
    "\n```\n",
    "👩🏽‍🚀",
    "𝔘".repeat(150),
    "x".repeat(250),
    "word ".repeat(300),
  ),
);
const text = fc.array(word, { maxLength: 40 }).map((words) => words.join(""));
const people = new Set(["U1"]);

/** A ledger, and the work that it shows. */
function startLedger(admitted = new Set<string>()) {
  const work = { text: "", people: admitted, progress: undefined as TaskProgress | undefined };
  const ledger = createStreamLedger();
  return {
    show: (progress: TaskProgress): void => void (work.progress = progress),
    write: (written: string): void => void (work.text = written),
    next: () => ledger.next(work),
    ending: (end: StreamEnd) => ledger.ending({ progress: work.progress, ...end }),
  };
}

test("property: the appended text is a prefix of the answer, or appending stopped before they differ", () => {
  fc.assert(
    fc.property(text, fc.array(fc.nat({ max: 400 }), { maxLength: 30 }), (answer, steps) => {
      const ledger = startLedger(people);
      let appended = "";
      let end = 0;
      const versions: string[] = [];
      for (const step of [...steps, answer.length]) {
        end = Math.min(answer.length, end + step);
        ledger.write(answer.slice(0, end));
        const addition = ledger.next();
        const added = streamedText(addition?.chunks ?? []);
        expect(added.length).toBeLessThanOrEqual(12_000);
        addition?.taken();
        appended += added;
        versions.push(appended);
      }
      const parts = composeAnswer(answer, people).parts.map(neutraliseLinks);
      const [first = ""] = parts;
      const whole = parts.join("");
      const isBeginning = whole.startsWith(appended) || first.startsWith(appended);
      // Appended text that the answer later replaced was appended before that, and nothing was appended after it.
      const at = versions.findIndex((version) => !whole.startsWith(version));
      expect(isBeginning || versions.slice(at).every((version) => version === versions[at])).toBe(true);
      expect(appended.isWellFormed() || !answer.isWellFormed()).toBe(true);
      const given = composeAnswer(answer, people).parts[0] ?? "";
      const { chunks, isWhole } = ledger.ending({ state: "done", text: given, title: "Used nothing" });
      expect(!isWhole || appended + streamedText(chunks) === given).toBe(true);
      expect(neutraliseMentions(appended, people)).toBe(appended);
    }),
    { numRuns: 500 },
  );
});

test("most text is streamed exactly as it appears in the end, wherever it is cut", () => {
  const ledger = startLedger();
  const answer =
    "See [https://bank.example](https://evil.example) and <@U9> soon.\n\n```ts\nconst a = 1;\n```\n\nDone 👩🏽‍🚀 now. ";
  let appended = "";
  for (let end = 0; end <= answer.length; end += 3) {
    ledger.write(answer.slice(0, end));
    const addition = ledger.next();
    addition?.taken();
    appended += streamedText(addition?.chunks ?? []);
  }
  const [first = ""] = composeAnswer(answer, people).parts;
  expect(neutraliseLinks(first).startsWith(appended)).toBe(true);
  expect(appended).not.toMatch(/https?:\/\//);
  expect(appended).toContain("(evil.example)");
  expect(appended).toContain("Done 👩🏽‍🚀 ");
});

test("text that Slack did not accept is appended again; accepted text is not", () => {
  const ledger = startLedger();
  ledger.write("one two ");
  expect(streamedText(ledger.next()?.chunks ?? [])).toBe("one two ");
  ledger.write("one two three ");
  const addition = ledger.next();
  expect(streamedText(addition?.chunks ?? [])).toBe("one two three ");
  addition?.taken();
  expect(ledger.next()).toBeUndefined();
  ledger.write("one 2 three four ");
  expect(ledger.next()).toBeUndefined();
});

test("a new step cuts no sentence: the words before it are sent first, and a step that is over waits for the end", () => {
  const ledger = startLedger();
  const step = { id: "1", title: "Ask", depth: 0 };
  ledger.write("Let me ask.");
  expect(streamedText(ledger.next()?.chunks ?? [])).toBe("Let me ");
  ledger.show({ revision: 1, steps: [{ ...step, state: "running" }] });
  const addition = ledger.next();
  expect(addition?.chunks).toMatchObject([{ text: "Let me ask." }, { id: "step 1", status: "in_progress" }]);
  addition?.taken();
  ledger.show({ revision: 2, steps: [step, { ...step, id: "2" }].map((each) => ({ ...each, state: "succeeded" })) });
  ledger.write("Let me ask. It is tr");
  expect(ledger.next()?.chunks).toMatchObject([{ text: " It is " }, { id: "step 1", status: "complete" }]);
  const { chunks } = ledger.ending({ state: "done", text: "Let me ask. It is true.", title: "Used two" });
  expect(chunks.slice(1)).toMatchObject([{ text: " It is true." }, {}, { id: "step 1" }, { id: "step 2" }]);
});

test("a task that failed between two polls blamed the step that was shown last", () => {
  const ledger = startLedger();
  const step = (id: string, state: StepState) => ({ id, title: id, depth: 0, state });
  ledger.show({ revision: 1, steps: [step("first", "running")] });
  ledger.next()?.taken();
  const progress = { revision: 2, steps: [step("first", "succeeded"), step("second", "failed")] };
  const { chunks } = ledger.ending({ state: "failed", text: "No.", title: "Failed", progress });
  const tasks = chunks.filter((chunk) => chunk.type === "task_update" && chunk.id !== "crosszone");
  expect(tasks).toMatchObject([
    { title: "first", status: "complete" },
    { title: "second", status: "error" },
  ]);
});

test("W14: a step that waits for a person gets an hourglass, and nothing that is not done a tick", () => {
  const ledger = startLedger();
  const step = (id: string, state: StepState) => ({ id, title: id, depth: 0, state });
  const states = ["succeeded", "running", "pending"] as const;
  const progress = { revision: 1, steps: states.map((state) => step(state, state)) };
  const { chunks } = ledger.ending({ state: "paused", text: "Let me check.", title: "Paused after 2.0 s", progress });
  expect(chunks.filter((chunk) => chunk.type === "task_update")).toMatchObject([
    { id: "crosszone", title: "Answer ⏳", status: "pending" },
    { title: "succeeded", status: "complete" },
    { title: "running ⏳", status: "pending" },
    { title: "pending", status: "pending" },
  ]);
});

test("a task is sent again only when its title or status changed; titles can have 2,000 characters", () => {
  const ledger = startLedger();
  const steps = Array.from({ length: 60 }, (_none, index) => ({
    id: index < 2 ? "same" : `s${index}`,
    title: index === 0 ? "<!channel> **x**" : "t".repeat(80),
    state: "running" as const,
    depth: 0,
  }));
  ledger.show({ revision: 1, steps });
  const addition = ledger.next();
  const tasks = addition?.chunks.filter((chunk) => chunk.type === "task_update") ?? [];
  expect(tasks.map(({ title }) => title).join("").length).toBeLessThan(2_100);
  expect(tasks.slice(0, 3)).toMatchObject([
    { id: "crosszone", title: `Answer (and ${61 - tasks.length} more steps)` },
    { id: "step same", title: "<\u200B!channel> **x**", status: "in_progress" },
    { id: "step same 2" },
  ]);
  addition?.taken();
  ledger.show({ revision: 2, steps: steps.map((step, index) => (index === 1 ? { ...step, state: "failed" } : step)) });
  expect(ledger.next()?.chunks).toMatchObject([{ id: "step same 2", status: "error" }]);
});
