import { ZoneError, type StepState, type TaskProgress } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { composeAnswer, emptyAnswer } from "../markdown/compose-answer.ts";
import { literalText } from "../markdown/neutralise.ts";
import { durationText, stepList, usedLine } from "../markdown/step-list.ts";
import type { AnswerFiles, StoredAnswer } from "../../inbox/records.ts";
import { DeniedError } from "../../policy/denials.ts";
import { errorSentence } from "../sentences/error-sentences.ts";
import type { StreamEnd } from "../streams/stream-ledger.ts";
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
      /** The agent to name, if it is not the default agent, and the text without its name. */
      readonly by?: string | undefined;
      readonly unnamed?: string;
    }
  | {
      readonly state: "stopped";
      /** The person who stopped it, unless that is the requester. */
      readonly by?: string;
    }
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

/** What a question has shown when it ends. */
export interface ShownWork {
  /** The answer's text that had arrived. */
  readonly text: string;
  /** The people that it can mention. */
  readonly people: ReadonlySet<string>;
  readonly progress: TaskProgress | undefined;
  readonly durationMs: number;
}

const nothingShown: ShownWork = { text: "", people: new Set(), progress: undefined, durationMs: 0 };

/** The answer to post, and the content that ends its streamed message. */
export interface EndedAnswer {
  readonly answer: StoredAnswer;
  readonly end: StreamEnd;
}

/**
 * Returns the answer to post. A successful one says in a small line what it used. A stopped one is the text that had arrived. A failed or
 * stopped one has the list of steps below it, from the result, else from the shown progress, where unfinished steps are canceled.
 */
export function answerOf(outcome: TaskOutcome, reference: string, shown: ShownWork = nothingShown): EndedAnswer {
  if (outcome.state === "done") return doneAnswer(outcome, shown);
  if (outcome.state === "stopped") return stoppedAnswer(outcome, shown);
  const { error } = outcome;
  const sentence = errorSentence(error, reference);
  const steps = stepsOf(atTheEnd(error, shown.progress));
  const { state } = outcome;
  const title = `Failed after ${durationText(shown.durationMs)}`;
  return {
    answer: { state, ...composeAnswer(paragraphs(sentence, steps), new Set()) },
    end: { state, text: composeAnswer(sentence, new Set()).parts[0] ?? "", title },
  };
}

function doneAnswer(
  { state, text, unnamed, by, people, progress, files }: Extract<TaskOutcome, { state: "done" }>,
  shown: ShownWork,
): EndedAnswer {
  const orEmpty = (one: string): string => (one.trim() === "" ? emptyAnswer : one);
  const steps = (progress ?? shown.progress)?.steps;
  const { line, used } = usedLine({ agent: by, ...(steps && { steps }) }, shown.durationMs);
  const composed = composeAnswer(orEmpty(text), people);
  const hasSteps = used && steps?.some(({ uses }) => uses !== undefined) === true;
  return {
    answer: { state, ...composed, ...(hasSteps && { footer: literalText(line) }), ...(files && { files }) },
    end: {
      state,
      text: composed.parts[0] ?? "",
      ...(unnamed !== undefined &&
        composed.parts.length === 1 && { unnamed: composeAnswer(orEmpty(unnamed), people).parts[0] ?? "" }),
      title: line,
    },
  };
}

function stoppedAnswer(
  { state, by }: Extract<TaskOutcome, { state: "stopped" }>,
  { text, people, progress, durationMs }: ShownWork,
): EndedAnswer {
  const footer = by === undefined ? "Stopped." : `Stopped by <@${by}>.`;
  const title = `Stopped after ${durationText(durationMs)}`;
  const steps = stepsOf(progress && stopped(progress));
  const compose = (one: string) => (one.trim() === "" ? { parts: [""] } : composeAnswer(one, people));
  return {
    answer: { state, ...compose(paragraphs(text.trim() === "" ? "" : text, steps)), footer },
    end: { state, text: compose(text).parts[0] ?? "", title, footer },
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
