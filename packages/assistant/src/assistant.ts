import type { TaskStep, ThreadMessage } from "@crosszone/contracts";
import type { ThreadMemory } from "./memory/thread-memory.ts";
import type { AssistantTool, MadeFile } from "./tools/assistant-tool.ts";
import type { QuestionFile, RefusedFile } from "./turn/question-files.ts";
import type { Spending, TurnUsage } from "./usage/usage-meter.ts";

/** A person's message with its context. */
export interface Question {
  /** Empty when the message has only files. */
  readonly text: string;
  /** Slack user id of the requester. */
  readonly userId: string | undefined;
  /** Earlier messages of the thread, oldest first. */
  readonly thread: readonly ThreadMessage[];
  readonly files: readonly QuestionFile[];
  /** The operator's additional instructions. They can't override the built-in ones. */
  readonly instructions?: string | undefined;
  /** The tools that the model can use for this question. */
  readonly tools: readonly AssistantTool[];
}

/** Shows an answer while it is written. */
export interface AnswerPreview {
  /** Appends text. The shown text is the beginning of the answer's text, byte for byte. */
  text(delta: string): void;
  /** Shows the called tools and their results. */
  progress(progress: { readonly steps: TaskStep[] }): void;
}

export interface TurnContext {
  /** Stops the turn, which rejects with the reason. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly preview?: AnswerPreview | undefined;
  /** Of the turn's span, the parent of its calls. */
  readonly traceparent?: string | undefined;
  /** Pays for the model calls. When absent, calls are not budgeted. */
  readonly spending?: Spending | undefined;
  /** Stores a summary of the thread. Without it, the oldest messages are omitted when the thread is too long. */
  readonly memory?: ThreadMemory | undefined;
  /** Receives the turn's usage when it has ended, whatever the outcome. */
  readonly onUsage?: (usage: TurnUsage) => void;
}

export interface Answer {
  /** Markdown, never empty. */
  readonly text: string;
  readonly files: readonly MadeFile[];
  /** Files of the question that the model did not receive. */
  readonly refused: readonly RefusedFile[];
  readonly usage: TurnUsage;
}

/** Limits of a turn. */
export interface AssistantLimits {
  /** Most model calls. */
  readonly steps: number;
  /** Most output tokens per model call. */
  readonly outputTokens: number;
  /** Most tokens of the thread, and most tokens of the text files, estimated. */
  readonly inputTokens: number;
  /** The longest silence of a model call, milliseconds. */
  readonly silenceMs: number;
  /** The longest tool result, characters. */
  readonly resultCharacters: number;
  /** Most concurrent tool calls. */
  readonly concurrency: number;
  /** Attempts per model call, and the wait before the second, milliseconds. */
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

/** Receives failures that don't end the turn. Must not be shown to users. */
export interface AssistantObserver {
  readonly toolFailed: (tool: string, cause: unknown) => void;
  /** `failure` names the kind of error and contains nothing of the request. */
  readonly callRetried: (failure: string) => void;
  /** A model call couldn't be settled; its reservation stays. */
  readonly settlingFailed: (cause: unknown) => void;
  /**
   * The thread couldn't be summarized, or its summary couldn't be read or stored. The question is answered without it.
   */
  readonly summaryFailed: (cause: unknown) => void;
}

/** Answers questions with a language model. */
export interface Assistant {
  /** Returns the answer. Rejects with the signal's reason or with an `AssistantError`. */
  answer(question: Question, context: TurnContext): Promise<Answer>;
}
