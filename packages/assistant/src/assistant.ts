import type { TaskStep, ThreadMessage } from "@crosszone/contracts";
import type { QuestionFile, RefusedFile } from "./files/question-file.ts";
import type { AssistantTool, MadeFile } from "./tools/assistant-tool.ts";
import type { Spending } from "./usage/spending.ts";
import type { TurnUsage } from "./usage/usage-meter.ts";

/** A person's message, and what belongs to it. */
export interface Question {
  /** Empty when only files came. */
  readonly text: string;
  /** Slack user id of the person who asks. */
  readonly userId: string | undefined;
  /** Earlier messages of the thread, oldest first. */
  readonly thread: readonly ThreadMessage[];
  readonly files: readonly QuestionFile[];
  /** What the model can use for this question. */
  readonly tools: readonly AssistantTool[];
}

/** Shows an answer while it grows. */
export interface AnswerPreview {
  /** Adds to the text. What was shown is the beginning of the answer's text, byte for byte. */
  text(delta: string): void;
  /** The tools that were called, and how each ended. */
  progress(progress: { readonly steps: TaskStep[] }): void;
}

export interface TurnContext {
  /** Stops the turn; it rejects with the reason. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly preview?: AnswerPreview | undefined;
  /** Of the span that the turn is; its calls belong to it. */
  readonly traceparent?: string | undefined;
  /** Pays for the model calls; nobody when absent. */
  readonly spending?: Spending | undefined;
  /** Receives what the turn used once it has ended, however it ended. */
  readonly onUsage?: (usage: TurnUsage) => void;
}

export interface Answer {
  /** Markdown, never empty. */
  readonly text: string;
  readonly files: readonly MadeFile[];
  /** Files of the question that the model did not get. */
  readonly refused: readonly RefusedFile[];
  readonly usage: TurnUsage;
}

/** Bounds of a turn. */
export interface AssistantLimits {
  /** Model calls. */
  readonly steps: number;
  /** Tokens that each model call may write. */
  readonly outputTokens: number;
  /** Tokens of the thread and of the text files each, by estimate. */
  readonly inputTokens: number;
  /** How long a model call may send nothing, milliseconds. */
  readonly silenceMs: number;
  /** Characters of a tool's result. */
  readonly resultCharacters: number;
  /** Tool calls that run at the same time. */
  readonly concurrency: number;
  /** Attempts of a model call, and the wait before the second, milliseconds. */
  readonly attempts: number;
  readonly backoffMs: number;
}

export const defaultLimits: AssistantLimits = {
  steps: 8,
  outputTokens: 4_096,
  inputTokens: 32_000,
  silenceMs: 60_000,
  resultCharacters: 16_000,
  concurrency: 4,
  attempts: 3,
  backoffMs: 1_000,
};

/** What goes wrong without ending the turn. Neither may be shown to people. */
export interface AssistantObserver {
  readonly toolFailed: (tool: string, cause: unknown) => void;
  /** `failure` names the kind of error and nothing of the request. */
  readonly callRetried: (failure: string) => void;
  /** What a model call used could not be settled; it counts as it was reserved. */
  readonly settlingFailed: (cause: unknown) => void;
}

/** Answers questions with a language model. */
export interface Assistant {
  /** Rejects with the signal's reason or with an `AssistantError`. */
  answer(question: Question, context: TurnContext): Promise<Answer>;
}
