import type { Emit } from "@crosszone/service-kit";

/** The limits of a turn. */
export const defaultLimits = {
  /** Most model calls. */
  steps: 8,
  /** Most output tokens per model call. */
  outputTokens: 4_096,
  /** Most tokens of the thread, and most tokens of the text files, estimated. */
  inputTokens: 32_000,
  /** The longest silence of a model call, milliseconds. */
  silenceMs: 60_000,
  /** The longest tool result, characters. */
  resultCharacters: 16_000,
  /** Most concurrent tool calls. */
  concurrency: 4,
  /** Attempts per model call, and the wait before the second, milliseconds. */
  attempts: 3,
  backoffMs: 1_000,
};

export type AssistantLimits = Readonly<typeof defaultLimits>;

/** Reports failures that don't end the turn. Must not be shown to users; `because` contains nothing of the request. */
export type AssistantEmit = Emit<
  "model_call_retried" | "model_tool_failed" | "model_use_not_recorded" | "summary_failed"
>;
