import { ZoneError, type StepState, type TaskProgress } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { composeAnswer, emptyAnswer } from "../markdown/compose-answer.ts";
import { stepLine, stepList } from "../markdown/step-list.ts";
import type { AnswerFiles, StoredAnswer } from "../../inbox/records.ts";
import { DeniedError } from "../../policy/denials.ts";
import { errorSentence } from "../sentences/error-sentences.ts";
import { TaskEnded } from "../tasks/running-tasks.ts";

/** How a question ended: the state that marks its answer, and the error if it failed. */
export type TaskOutcome =
  | {
      readonly state: "done";
      readonly text: string;
      readonly people: ReadonlySet<string>;
      /** The steps' results, for a task with steps. */
      readonly progress?: TaskProgress;
      /** Files of the answer. */
      readonly files?: AnswerFiles;
      /** The agent that answered, to which the thread is bound. */
      readonly agent?: string;
    }
  | { readonly state: "stopped" }
  | { readonly state: "failed"; readonly error: unknown };

/** Number of unexpected errors, for example of the zone's own database, that are retried before the requester sees one. */
const surprisesToForgive = 2;

/**
 * Returns the outcome that a thrown error means for the question; rethrows the error when the question is to be retried. A timeout of this
 * zone looks the same to the requester as one of execution.
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
 * Returns the answer to post. For a task with steps, a one-line summary goes above a successful answer, and any other ending has the list
 * of steps below it. The steps come from the result, else from the progress in `latest`. Unfinished steps of a stopped task are shown as
 * canceled.
 */
export function answerOf(outcome: TaskOutcome, reference: string, latest?: TaskProgress): StoredAnswer {
  const { state } = outcome;
  const noPeople = new Set<string>();
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
    return {
      state,
      ...composeAnswer(paragraphs("Stopped, as you asked.", stepsOf(latest && stopped(latest))), noPeople),
    };
  const { error } = outcome;
  return {
    state,
    ...composeAnswer(paragraphs(errorSentence(error, reference), stepsOf(atTheEnd(error, latest))), noPeople),
  };
}

function atTheEnd(error: unknown, latest: TaskProgress | undefined): TaskProgress | undefined {
  if (!(error instanceof ZoneError)) return latest;
  const isStopped = error.kind === "timeout" || error.kind === "canceled";
  return error.data.progress ?? (latest && isStopped ? stopped(latest) : latest);
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text !== "").join("\n\n");
}

/** The agent's status text is not part of its answer. */
function stepsOf(progress: TaskProgress | undefined): string {
  return progress === undefined ? "" : stepList({ ...progress, text: "" });
}

/** Unfinished steps of a stopped task never finish. */
function stopped(progress: TaskProgress): TaskProgress {
  const hasEnded = (state: StepState): boolean => state !== "pending" && state !== "running";
  const steps = progress.steps.map((step) => (hasEnded(step.state) ? step : { ...step, state: "canceled" as const }));
  return { ...progress, steps };
}
