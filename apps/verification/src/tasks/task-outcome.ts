import { ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { composeAnswer } from "../answers/compose-answer.ts";
import type { KeptAnswer } from "../inbox/inbox.ts";
import { DeniedError } from "../policies/denial.ts";
import { errorSentence } from "./error-sentences.ts";
import { TaskEnded } from "./running-tasks.ts";

/** How a question ended: the mark of its answer, and why when it failed. */
export type TaskOutcome =
  | { readonly state: "done"; readonly text: string; readonly people: ReadonlySet<string> }
  | { readonly state: "stopped" }
  | { readonly state: "failed"; readonly error: unknown };

/** An error that nobody foresaw, such as one of the zone's own database, is met by trying again before a person is told of it. */
const surprisesToForgive = 2;

/**
 * What a thrown error means for the question; throws it when it is no outcome but a reason to try again. A deadline of ours is the
 * same to a person as one of the execution zone.
 */
export function outcomeOf(error: unknown, attempt: number): TaskOutcome {
  if (error instanceof TaskEnded)
    return error.reason === "stopped"
      ? { state: "stopped" }
      : { state: "failed", error: new ZoneError("timeout", {}, { cause: error }) };
  const foreseen = error instanceof ZoneError || error instanceof LinkError || error instanceof DeniedError;
  if (!foreseen && attempt <= surprisesToForgive) throw error;
  return { state: "failed", error };
}

/** What the person is told. */
export function answerOf(outcome: TaskOutcome, reference: string): KeptAnswer {
  if (outcome.state === "done") return { state: "done", ...composeAnswer(outcome.text, outcome.people) };
  const text = outcome.state === "stopped" ? "Stopped, as you asked." : errorSentence(outcome.error, reference);
  return { state: outcome.state, ...composeAnswer(text, new Set()) };
}
