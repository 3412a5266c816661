import type { AssistantError, FailureReason } from "@crosszone/assistant";
import { ZoneError, type ErrorKind } from "@crosszone/contracts";

/** The error kind for the caller, by the model's failure. */
export const failureKinds = {
  overloaded: "agent_unavailable",
  quota: "agent_failed",
  unreachable: "agent_unavailable",
  unavailable: "agent_unavailable",
  invalid_key: "agent_misconfigured",
  unknown_model: "agent_misconfigured",
  context_too_long: "agent_failed",
  unsupported_file: "agent_failed",
  refused: "agent_failed",
  rejected: "agent_misconfigured",
  silent: "agent_unavailable",
  interrupted: "agent_unavailable",
  output_limit: "agent_failed",
  step_limit: "agent_failed",
  budget: "agent_failed",
  no_answer: "agent_failed",
  internal: "agent_failed",
} as const satisfies Record<FailureReason, ErrorKind>;

/**
 * Returns the error of a task whose model failed: a sentence for the requester and, with `showDetail`, details for the
 * operator. It names no agent, because the assistant is the zone's own.
 */
export function zoneErrorOf(failure: AssistantError, { showDetail }: { readonly showDetail: boolean }): ZoneError {
  const { reason, sentence, retryAfterMs, message } = failure;
  const data = {
    agent_says: sentence,
    ...(retryAfterMs !== undefined && { retry_after_ms: retryAfterMs }),
    ...(showDetail && { owner_detail: message }),
  };
  return new ZoneError(failureKinds[reason], data, { cause: failure });
}
