/** Why a model did not answer. */
export const failureReasons = [
  "overloaded",
  "quota",
  "unreachable",
  "unavailable",
  "invalid_key",
  "unknown_model",
  "context_too_long",
  "unsupported_file",
  "refused",
  "rejected",
  "silent",
  "interrupted",
  "output_limit",
  "step_limit",
  "budget",
  "no_answer",
  "internal",
] as const;

export type FailureReason = (typeof failureReasons)[number];

/** The sentence for the requester, by failure. */
export const failureSentences: Readonly<Record<FailureReason, string>> = {
  overloaded: "The model is overloaded. Try again in a minute.",
  quota: "The model's account has no quota left. An operator must raise it.",
  unreachable: "The model can't be reached. Try again in a minute.",
  unavailable: "The model's provider reports an error on its side. Try again in a minute.",
  invalid_key: "The model rejected our key. An operator must fix it.",
  unknown_model: "The provider doesn't know the configured model. An operator must fix it.",
  context_too_long: "This is too long for the model. Ask in a new thread, or send less text and fewer files.",
  unsupported_file: "The model can't read one of the files. Ask again without it.",
  refused: "The model declined to answer this.",
  rejected: "The model rejected the request. An operator can find the reason with the reference.",
  silent: "The model stopped responding. Try again.",
  interrupted: "The connection to the model broke. Try again.",
  output_limit: "The model reached its output limit. Ask for less at a time.",
  step_limit: "The model reached its limit of steps. Ask for less at a time.",
  budget: "The budget for the model is used up.",
  no_answer: "The model finished without an answer. Try again, perhaps with other words.",
  internal: "The assistant failed unexpectedly. An operator can find the reason with the reference.",
};

/** Further details of a failure. */
export interface FailureDetail {
  readonly retryAfterMs?: number | undefined;
  /** Replaces the reason's own sentence. */
  readonly sentence?: string;
}

/** A failed turn. Its message is for the log and contains nothing of the prompt, the answer or the response headers. */
export class AssistantError extends Error {
  override readonly name = "AssistantError";
  readonly reason: FailureReason;
  /** The wait that the provider requests, milliseconds. */
  readonly retryAfterMs: number | undefined;
  /** For the requester. */
  readonly sentence: string;

  constructor(reason: FailureReason, detail: string, { retryAfterMs, sentence }: FailureDetail = {}) {
    super(`${reason}: ${detail}`);
    this.reason = reason;
    this.retryAfterMs = retryAfterMs;
    this.sentence = sentence ?? failureSentences[reason];
  }
}
