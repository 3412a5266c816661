import type { Emit } from "@crosszone/service-kit";

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

/** Reports failures that don't end the turn. Must not be shown to users; `because` contains nothing of the request. */
export type AssistantEmit = Emit<
  "model_call_retried" | "model_tool_failed" | "model_use_not_recorded" | "summary_failed"
>;
