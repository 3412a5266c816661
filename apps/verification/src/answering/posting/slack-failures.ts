import { SlackCallError } from "../../slack/slack-call-error.ts";

/** Refusals that end when an operator fixes or reinstalls the app. They count as outages, so pending messages wait. */
const mendable: ReadonlySet<string> = new Set([
  "access_denied",
  "account_inactive",
  "bad_client_secret",
  "ekm_access_denied",
  "invalid_auth",
  "invalid_client_id",
  "invalid_refresh_token",
  "missing_scope",
  "not_authed",
  "not_installed",
  "org_login_required",
  "token_expired",
  "token_revoked",
]);

/** Returns true if Slack will refuse this call on every retry, for example in an archived channel. */
export function isRefusedForGood(error: unknown): error is SlackCallError {
  return error instanceof SlackCallError && error.failure === "refused" && !mendable.has(error.code);
}

/** Returns the wait before a Slack call is retried, milliseconds, as Slack requests; undefined if the error is not retryable. */
export function slackRetryAfter(error: unknown): number | undefined {
  if (!(error instanceof SlackCallError) || error.failure === "refused") return undefined;
  return error.retryAfterMs ?? 0;
}
