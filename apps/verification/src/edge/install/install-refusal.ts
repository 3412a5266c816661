import { ErrorCode } from "@slack/oauth";
import { readCallError, SlackCallError } from "../../slack/slack-call-error.ts";
import type { InstallRefusal } from "./install-pages.ts";

/** The end of an install flow without an installation. */
export interface InstallRefused {
  readonly refusal: InstallRefusal;
  /** The workspace, when known. */
  readonly team_id?: string;
  readonly cause?: unknown;
}

/** Thrown when an install flow cannot continue. */
export class InstallRefusedError extends Error {
  override readonly name = "InstallRefusedError";
  readonly refusal: InstallRefusal;

  constructor(refusal: InstallRefusal) {
    super(refusal);
    this.refusal = refusal;
  }
}

/** Slack's errors for an unusable code. https://docs.slack.dev/reference/methods/oauth.v2.access#errors */
const badCodes: ReadonlySet<string> = new Set(["invalid_code", "code_already_used", "code_expired"]);

const ofLibrary: Readonly<Record<string, InstallRefusal>> = {
  [ErrorCode.AuthorizationError]: "canceled",
  [ErrorCode.InvalidStateError]: "other_browser",
  [ErrorCode.MissingStateError]: "state_invalid",
  [ErrorCode.MissingCodeError]: "no_code",
  // The request's own host and path do not form a URL.
  ERR_INVALID_URL: "no_code",
};

/** Returns what an error of the flow means, and the cause to log. */
export function readInstallError(error: unknown): InstallRefused {
  if (error instanceof InstallRefusedError) return { refusal: error.refusal };
  const code = String((error as { readonly code?: unknown } | undefined)?.code);
  const known = ofLibrary[code];
  if (known !== undefined) return { refusal: known };
  const isCall = error instanceof SlackCallError || code.startsWith("slack_webapi_");
  if (!isCall) return { refusal: "internal", cause: error };
  const cause = error instanceof SlackCallError ? error : readCallError("oauth.v2.access", error);
  if (badCodes.has(cause.code)) return { refusal: "code_refused", cause };
  return { refusal: cause.failure === "refused" ? "slack_refused" : "slack_unavailable", cause };
}
