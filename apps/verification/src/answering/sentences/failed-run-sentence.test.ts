import { ZoneError, type ErrorKind, type FailedRun, type RunProblemKind } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { errorSentence } from "./error-sentences.ts";

const workflow = "publish-text";

function told(kind: ErrorKind, failed_run: Partial<FailedRun> & Pick<FailedRun, "reason">, agent = workflow): string {
  const data = { agent, failed_run: { workflow, ...failed_run } };
  const [sentence = ""] = errorSentence(new ZoneError(kind, data), "ref-1").split("\n_Reference: ref-1_");
  return sentence;
}

const tooLong = "took too long, so I stopped it. Please try again, perhaps with a smaller question.";
const again = "Please try again in a moment.";
const seal = "The step “Seal” of the workflow “publish-text” failed:";
const mistake = "The workflow “publish-text” has a mistake in";
const tell = "Please tell the person who maintains it.";

test.each<[ErrorKind, string]>([
  ["timeout", `${seal} the agent “fingerprint” ${tooLong}`],
  [
    "agent_unavailable",
    `${seal} the agent “fingerprint” cannot be reached right now. If this continues, tell the people who run it.`,
  ],
  [
    "agent_misconfigured",
    `${seal} the agent “fingerprint” is not configured correctly. Please tell the person who runs it.`,
  ],
  [
    "agent_invalid_response",
    `${seal} the agent “fingerprint” sent an answer that I could not read. The people who run it need to fix that.`,
  ],
  ["agent_failed", `${seal} the agent “fingerprint” could not finish this. Please try again with other words.`],
  ["canceled", `${seal} the agent “fingerprint” was stopped. ${again}`],
])(
  "Z12: for a step whose agent failed, %s, the sentence names step and agent and says what to do",
  (kind, sentence) => {
    expect(told(kind, { reason: "agent_failed", step: "Seal" }, "fingerprint")).toBe(sentence);
  },
);

test.each<[RunProblemKind, ErrorKind, string]>([
  ["step_timed_out", "timeout", `${seal} the awaited event ${tooLong}`],
  ["mapping_failed", "agent_failed", `${mistake} the step “Seal”: a value that it uses is missing. ${tell}`],
  ["condition_failed", "agent_failed", `${mistake} the step “Seal”: its condition cannot be evaluated. ${tell}`],
  [
    "collection_invalid",
    "agent_failed",
    `${mistake} the step “Seal”: the items to repeat are not a list, or the list is too long. ${tell}`,
  ],
  ["join_failed", "agent_failed", `${seal} too few of its branches succeeded. ${again}`],
  ["run_too_large", "agent_failed", `${seal} the run has too much data. Please try again, perhaps with less data.`],
])("Z12: for a step that failed by itself, %s, the sentence says who can fix it", (reason, kind, sentence) => {
  expect(told(kind, { reason, step: "Seal" })).toBe(sentence);
});

test("Z12: for a run that failed outside its steps, the sentence names the workflow", () => {
  expect(told("agent_failed", { reason: "mapping_failed" })).toBe(
    `${mistake} its output: a value that it uses is missing. ${tell}`,
  );
  expect(told("timeout", { reason: "run_timed_out" })).toMatch(/^The workflow “publish-text” took too long/);
  expect(told("canceled", { reason: "canceled" })).toMatch(/^The workflow “publish-text” was stopped by someone/);
});

test("Z12: an internal error is reported as ours, whatever step it occurred in", () => {
  for (const reason of ["internal", "agent_failed"] as const)
    expect(told("internal", { reason, step: "Seal" })).toMatch(/^Something went wrong on our side/);
});

test("a step title from outside is shown literally, on one line, and notifies no one", () => {
  const sentence = told("timeout", { reason: "step_timed_out", step: `<!channel>\n**now** ${"x".repeat(200)}` });
  expect(sentence).toMatch(/^The step “[^\n]{1,120}…” of the workflow/);
  expect(sentence).not.toMatch(/(?:<|&lt;)\\*[!@]|(?<!\\)\*/);
});
