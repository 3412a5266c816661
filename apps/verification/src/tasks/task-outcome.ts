import { ZoneError, type StepState, type TaskProgress } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { composeAnswer, emptyAnswer } from "../answers/compose-answer.ts";
import { stepLine, stepList } from "../answers/step-list.ts";
import type { AnswerFiles, KeptAnswer } from "../inbox/inbox.ts";
import { DeniedError } from "../policies/denial.ts";
import { errorSentence } from "./error-sentences.ts";
import { TaskEnded } from "./running-tasks.ts";

/** How a question ended: the mark of its answer, and why when it failed. */
export type TaskOutcome =
  | {
      readonly state: "done";
      readonly text: string;
      readonly people: ReadonlySet<string>;
      /** How the steps went, of a task that was done in steps. */
      readonly progress?: TaskProgress;
      /** Files that belong to the answer. */
      readonly files?: AnswerFiles;
    }
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

/**
 * What the person is told. Of a task that is done in steps an answer has a line above it that says what was done, and any other end the
 * list of steps below: as the execution zone has told it with the end, else as it was `seen` last. What was stopped is shown so.
 */
export function answerOf(outcome: TaskOutcome, reference: string, seen?: TaskProgress): KeptAnswer {
  const { state } = outcome;
  const nobody = new Set<string>();
  if (state === "done") {
    const { text, people, progress, files } = outcome;
    const attached = files !== undefined && { files };
    if (progress === undefined) return { state, ...composeAnswer(text, people), ...attached };
    return {
      state,
      ...attached,
      ...composeAnswer(paragraphs(stepLine(progress), text.trim() === "" ? emptyAnswer : text), people),
    };
  }
  if (state === "stopped")
    return { state, ...composeAnswer(paragraphs("Stopped, as you asked.", stepsOf(seen && stopped(seen))), nobody) };
  const { error } = outcome;
  return {
    state,
    ...composeAnswer(paragraphs(errorSentence(error, reference), stepsOf(atTheEnd(error, seen))), nobody),
  };
}

function atTheEnd(error: unknown, seen: TaskProgress | undefined): TaskProgress | undefined {
  if (!(error instanceof ZoneError)) return seen;
  const isStopped = error.kind === "timeout" || error.kind === "canceled";
  return error.data.progress ?? (seen && isStopped ? stopped(seen) : seen);
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** What the agent said on the way is no part of its answer. */
function stepsOf(progress: TaskProgress | undefined): string {
  return progress === undefined ? "" : stepList({ ...progress, text: "" });
}

/** What had not ended then never will. */
function stopped(progress: TaskProgress): TaskProgress {
  const hasEnded = (state: StepState): boolean => state !== "pending" && state !== "running";
  const steps = progress.steps.map((step) => (hasEnded(step.state) ? step : { ...step, state: "canceled" as const }));
  return { ...progress, steps };
}
