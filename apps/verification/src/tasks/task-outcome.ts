import { ZoneError } from "@crosszone/contracts";
import { composeAnswer, type ComposedAnswer } from "../answers/compose-answer.ts";
import { errorSentence } from "./error-sentences.ts";
import { TaskEnded } from "./running-tasks.ts";

/** How a question ended: the mark of its answer, and why when it failed. */
export type TaskOutcome =
  | { readonly state: "done"; readonly text: string; readonly people: ReadonlySet<string> }
  | { readonly state: "stopped" }
  | { readonly state: "failed"; readonly error: unknown };

/** What a thrown error means for the question. A deadline of ours is the same to a person as one of the execution zone. */
export function outcomeOf(error: unknown): TaskOutcome {
  if (!(error instanceof TaskEnded)) return { state: "failed", error };
  if (error.reason === "stopped") return { state: "stopped" };
  return {
    state: "failed",
    error: new ZoneError(error.reason === "deadline" ? "timeout" : "shutting_down", {}, { cause: error }),
  };
}

/** What the person is told. */
export function answerOf(outcome: TaskOutcome, reference: string): ComposedAnswer {
  if (outcome.state === "done") return composeAnswer(outcome.text, outcome.people);
  const text = outcome.state === "stopped" ? "Stopped, as you asked." : errorSentence(outcome.error, reference);
  return composeAnswer(text, new Set());
}
