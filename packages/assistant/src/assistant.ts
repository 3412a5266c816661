import type { ThreadMessage } from "@crosszone/contracts";
import type { AssistantTool, MadeFile } from "./tools/assistant-tool.ts";
import type { QuestionFile, RefusedFile } from "./turn/question-files.ts";
import type { TurnContext } from "./turn/turn-context.ts";
import type { TurnUsage } from "./usage/usage-meter.ts";

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

/** Answers questions with a language model. */
export interface Assistant {
  /** Returns the answer. Rejects with the signal's reason or with an `AssistantError`. */
  answer(question: Question, context: TurnContext): Promise<Answer>;
}
