import type { Emit } from "@crosszone/service-kit";
import type { TurnUsage } from "./usage-meter.ts";

/** Why a model did not answer, with the sentence for the requester. */
export const failureSentences = {
  overloaded: "The model is overloaded. Try again in a minute.",
  quota: "The model's account has no quota left. An operator must raise it.",
  unreachable: "The model can't be reached. Try again in a minute.",
  unavailable: "The model's provider reports an error on its side. Try again in a minute.",
  invalid_key: "The model rejected our key. An operator must fix it.",
  unknown_model: "The provider doesn't know the configured model. An operator must fix it.",
  context_too_long: "This is too long for the model. Ask in a new thread, or send less text and fewer files.",
  unsupported_file: "The model can't read one of the files. Ask again without it.",
  bad_call: "The model wrote a tool call that can't be read. Try again, perhaps with other words.",
  refused: "The model declined to answer this.",
  rejected: "The model rejected the request. An operator can find the reason with the reference.",
  silent: "The model stopped responding. Try again.",
  interrupted: "The connection to the model broke. Try again.",
  output_limit: "The model reached its output limit. Ask for less at a time.",
  step_limit: "The model reached its limit of steps. Ask for less at a time.",
  budget: "The budget for the model is used up.",
  no_answer: "The model finished without an answer. Try again, perhaps with other words.",
  internal: "The assistant failed unexpectedly. An operator can find the reason with the reference.",
} as const;

export type FailureReason = keyof typeof failureSentences;

/**
 * A failed turn. Its message is for the log. It has the provider's sentence, but nothing of the prompt, the answer or the
 * response headers.
 */
export class AssistantError extends Error {
  override readonly name = "AssistantError";
  readonly reason: FailureReason;
  /** The wait that the provider requests, milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** For the requester. */
  readonly sentence: string;
  /** The parameters that the model may have refused, the likeliest first, or the tools that it refused (`refusals.ts`). */
  readonly refuses: readonly string[];
  /** Attempts of the failed model call, if it was made. */
  attempts: number | undefined;
  /** For operators: the model, the failure, attempts and tokens. Set when the turn has ended. */
  detail: string | undefined;

  /** `sentence` replaces the reason's own. */
  constructor(
    reason: FailureReason,
    detail: string,
    more: { readonly retryAfterMs?: number; readonly sentence?: string; readonly refuses?: readonly string[] } = {},
  ) {
    const { retryAfterMs, sentence, refuses = [] } = more;
    super(`${reason}: ${detail}`);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
    this.sentence = sentence ?? failureSentences[reason];
    this.refuses = refuses;
  }

  /** Whether the same call may succeed later. */
  get isTransient(): boolean {
    return ["overloaded", "unreachable", "unavailable", "silent", "interrupted", "bad_call"].includes(this.reason);
  }
}

/** Returns a failed turn for operators: `anthropic/claude-sonnet-4-6: overloaded: AI_APICallError (status 529, retryable), 3 attempts, no tokens`. */
export function failureDetail({ reason, message, attempts }: AssistantError, usage: TurnUsage): string {
  const { model, input_tokens: input, output_tokens: output, estimated } = usage;
  const number = (value: number): string => value.toLocaleString("en");
  const tokens = `${estimated ? "about " : ""}${number(input)} input and ${number(output)} output tokens`;
  // A budget rejects a call before it is sent.
  const tried =
    attempts === undefined || reason === "budget" ? [] : [`${attempts} attempt${attempts === 1 ? "" : "s"}`];
  return [`${model}: ${message}`, ...tried, input + output === 0 ? "no tokens" : tokens].join(", ");
}

export const defaultTurnLimits = {
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

export type AssistantLimits = Readonly<typeof defaultTurnLimits>;

/** Reports failures that don't end the turn. Must not be shown to users; `because` contains nothing of the request. */
export type AssistantEmit = Emit<
  "model_call_retried" | "model_tool_refused" | "model_tool_failed" | "model_use_not_recorded" | "summary_failed"
>;
