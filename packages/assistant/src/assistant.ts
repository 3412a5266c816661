import type { TaskStep, ThreadMessage } from "@crosszone/contracts";
import type { AssistantTool, MadeFile } from "./tools/assistant-tool.ts";
import type { QuestionFile, RefusedFile } from "./turn/question-files.ts";
import type { ThreadMemory } from "./memory/thread-memory.ts";
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
  readonly instructions?: string;
  /** The tools that the model can use for this question. */
  readonly tools: readonly AssistantTool[];
}

export interface Answer {
  /** Markdown, never empty. */
  readonly text: string;
  readonly files: readonly MadeFile[];
  /** Files of the question that the model did not receive. */
  readonly refused: readonly RefusedFile[];
  readonly usage: TurnUsage;
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
  readonly preview?: AnswerPreview;
  /** Of the turn's span, the parent of its calls. */
  readonly traceparent?: string;
  /** Pays for the model calls. When absent, calls are not budgeted. */
  readonly spending?: Spending;
  /** Stores a summary of the thread. Without it, the oldest messages are omitted when the thread is too long. */
  readonly memory?: ThreadMemory;
  /** Receives the turn's usage when it has ended, whatever the outcome. */
  readonly onUsage?: (usage: TurnUsage) => void;
}

/** Answers questions with a language model. */
export interface Assistant {
  /** Returns the answer. Rejects with the signal's reason or with an `AssistantError`. */
  answer(question: Question, context: TurnContext): Promise<Answer>;
}
