import { SlackCallError } from "../slack/slack-call-error.ts";

/** Refusals that end when an operator mends the app, or it is installed again: until then they are an outage like any other, and what is owed waits. */
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

/** Whether Slack will say no to this however often it is tried, as in a channel that is archived. */
export function isRefusedForGood(error: unknown): error is SlackCallError {
  return error instanceof SlackCallError && error.failure === "refused" && !mendable.has(error.code);
}
