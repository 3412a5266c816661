import type { TaskStep } from "@crosszone/contracts";
import type { ThreadMemory } from "../memory/thread-memory.ts";
import type { ResumedTurn } from "./paused-turn.ts";
import type { Spending, TurnUsage } from "../usage/usage-meter.ts";

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
  /** Present when the turn was paused. Its usage then is that of this part. */
  readonly resumed?: ResumedTurn;
}
