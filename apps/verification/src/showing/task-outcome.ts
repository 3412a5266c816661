import { errorTable, type StepState, type TaskInputRequired, type TaskProgress, ZoneError } from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import type { KnownBlock } from "@slack/web-api";
import type { AnswerFiles, StoredAnswer } from "../inbox/records.ts";
import { TaskEnded } from "../inbox/running-tasks.ts";
import { DeniedError } from "../policy/denials.ts";
import { errorSentence } from "./error-sentences.ts";
import {
  composeAnswer,
  type ComposedAnswer,
  durationWords,
  emptyAnswer,
  type ShownSoFar,
  stepList,
  usedLine,
} from "./markdown/compose-answer.ts";
import { literalText } from "./markdown/neutralise.ts";
import { fenceAfter } from "./markdown/split-markdown.ts";
import type { StreamEnd } from "./streams/stream-ledger.ts";

/** What a task says. */
interface Said {
  readonly text: string;
  readonly people: ReadonlySet<string>;
  /** The agent that answered, to which the thread is bound. */
  readonly agent?: string | undefined;
  /** The name of the agent for above the text, Markdown; empty for the default agent. */
  readonly name?: string;
}

/** How a question ended: the state that marks its answer, and the error if it failed. */
export type QuestionOutcome =
  | (Said & {
      readonly state: "done";
      /** The steps' results, for a task with steps. */
      readonly progress?: TaskProgress;
      readonly files?: AnswerFiles;
      /** What people can press. */
      readonly controls?: readonly KnownBlock[];
    })
  | (Said & {
      /** The task waits for people. */
      readonly state: "paused";
      /** Absent if an earlier attempt has stored it. */
      readonly required?: TaskInputRequired;
      readonly is_workflow: boolean;
    })
  | {
      readonly state: "stopped";
      /** The person who stopped it, unless that is the requester. */
      readonly by?: string;
    }
  | { readonly state: "failed"; readonly error: unknown; readonly controls?: readonly KnownBlock[] };

/** Number of unexpected errors, for example of the zone's own database, that are retried before the requester sees one. */
const surprisesToForgive = 2;

/**
 * Returns the outcome that a thrown error means for the question; rethrows the error when the question is to be retried. A timeout of this
 * zone looks the same to the requester as one of execution.
 */
export function outcomeOf(
  error: unknown,
  { attempt, agent }: { readonly attempt: number; readonly agent: string | undefined },
): QuestionOutcome {
  if (error instanceof TaskEnded)
    return error.reason === "stopped"
      ? { state: "stopped" }
      : { state: "failed", error: new ZoneError("timeout", { agent }, { cause: error }) };
  const foreseen = error instanceof ZoneError || error instanceof LinkError || error instanceof DeniedError;
  if (!foreseen && attempt <= surprisesToForgive) throw error;
  return { state: "failed", error };
}

/** What a question has shown when it ends. */
export interface ShownWork extends ShownSoFar {
  readonly durationMs: number;
  /** The pieces of the text in messages that are full. */
  readonly slices: readonly string[];
}

export const nothingShown: ShownWork = { text: "", people: new Set(), progress: undefined, durationMs: 0, slices: [] };

/**
 * Returns the answer to post, and the end of its streamed message. A successful one says in a small line what it used. A stopped one is the text that had arrived, and a failed one
 * begins with it. Both have the list of steps below, from the result, else from the shown progress, where unfinished steps are canceled.
 */
export function answerOfOutcome(
  outcome: QuestionOutcome,
  reference: string,
  shown: ShownWork = nothingShown,
): { readonly answer: StoredAnswer; readonly end: StreamEnd } {
  // What a task says while it waits is whole.
  const state = outcome.state === "paused" ? "done" : isTakenBack(outcome) ? "stopped" : outcome.state;
  const { name = "", text, people = new Set<string>(), ...below } = partsOf(outcome, reference, shown);
  const { progress, title, footer, controls } = below;
  const { names } = shown;
  const lead = name === "" ? "" : `${name}\n\n`;
  const slices = shown.slices.map((slice, index) => (index === 0 ? `${lead}${slice}` : slice));
  const compose = (...texts: readonly string[]): ComposedAnswer => {
    const whole = paragraphs(...texts);
    return whole.trim() === "" ? { parts: [""] } : composeAnswer(whole, people, { names, shown: slices });
  };
  // A done task shows its steps only in its cards. The agent's status text is not part of its answer.
  const steps = state === "done" || progress === undefined ? "" : stepList({ ...progress, text: "" });
  const composed = compose(name, text, steps);
  const files = outcome.state === "done" && outcome.files !== undefined && { files: outcome.files };
  const inputs = outcome.state === "paused" && { inputs: outcome.required?.input_requests.length };
  const [first = ""] = composed.parts;
  const isCut = composed.parts.length > 1 || composed.file !== undefined;
  const streamed = isCut ? { text: first } : { name, controls, text: compose(text).parts[0] ?? "" };
  const failure = outcome.state === "failed" && state === "failed" ? failureOf(outcome.error) : undefined;
  return {
    answer: { state, failure, ...composed, footer, controls, ...files, ...inputs },
    end: { state: outcome.state, ...streamed, title, progress, footer: state === "stopped" ? footer : undefined },
  };
}

/** Returns true if nobody failed: an operator took back what the question waited for. */
const isTakenBack = (outcome: QuestionOutcome): boolean =>
  outcome.state === "failed" && outcome.error instanceof ZoneError && outcome.error.kind === "canceled";

/** Returns why a question failed, for operators: the title of its error. */
function failureOf(error: unknown): string {
  if (error instanceof LinkError) return "Execution could not be reached";
  return error instanceof ZoneError ? errorTable[error.kind].title : "Unexpected error";
}

/** Returns the parts of an answer, and the title of its folded plan. */
function partsOf(
  outcome: QuestionOutcome,
  reference: string,
  shown: ShownWork,
): Omit<StreamEnd, "state"> & { readonly people?: ReadonlySet<string> } {
  const { progress, durationMs } = shown;
  if (outcome.state === "failed") {
    const title = `${isTakenBack(outcome) ? "Stopped" : "Failed"} after ${durationWords(durationMs)}`;
    // What people have read stays above the error.
    const text = paragraphs(closed(shown.text), errorSentence(outcome.error, reference));
    const last = atTheEnd(outcome.error, progress);
    return { text, people: shown.people, progress: last, title, controls: outcome.controls };
  }
  if (outcome.state === "stopped") {
    const footer = outcome.by === undefined ? "Stopped." : `Stopped by <@${outcome.by}>.`;
    const title = `Stopped after ${durationWords(durationMs)}`;
    return { ...shown, text: closed(shown.text), progress: progress && stopped(progress), footer, title };
  }
  if (outcome.state === "paused") {
    const { name = "", text, people, required } = outcome;
    const title = `Paused after ${durationWords(durationMs)}`;
    return { name, text, people, progress: required?.progress ?? progress, title };
  }
  const { name = "", agent = "", text, people, controls } = outcome;
  const last = outcome.progress ?? progress;
  const ran = (last?.steps ?? []).filter(({ state }) => state !== "pending" && state !== "skipped");
  const used = ran.flatMap(({ uses }) => uses ?? []);
  const title = usedLine(name === "" ? used : [agent, ...used], durationMs);
  const footer = used.length > 0 ? literalText(usedLine(used, durationMs)) : undefined;
  return { name, text: text.trim() === "" ? emptyAnswer : text, people, progress: last, title, footer, controls };
}

function atTheEnd(error: unknown, latest: TaskProgress | undefined): TaskProgress | undefined {
  if (!(error instanceof ZoneError)) return latest;
  const isStopped = error.kind === "timeout" || error.kind === "canceled";
  return error.data.progress ?? (latest && isStopped ? stopped(latest) : latest);
}

/** Returns a text without an open code block, which would take in what follows. */
function closed(text: string): string {
  const fence = fenceAfter(text);
  return fence === undefined ? text : `${text.replace(/\n$/, "")}\n${fence.marker}`;
}

function paragraphs(...texts: readonly string[]): string {
  return texts.filter((text) => text.trim() !== "").join("\n\n");
}

/** Unfinished steps of a stopped task never finish. */
function stopped(progress: TaskProgress): TaskProgress {
  const hasEnded = (state: StepState): boolean => state !== "pending" && state !== "running";
  const steps = progress.steps.map((step) => (hasEnded(step.state) ? step : { ...step, state: "canceled" as const }));
  return { ...progress, steps };
}
