import type { Clock } from "../../time/clock.ts";
import type { SlackCallError } from "../../slack/slack-call-error.ts";

/** Remembers where Slack refuses streams, to avoid futile calls. */
export interface StreamRefusals {
  /** Returns true if Slack has recently refused a stream in this channel. */
  has(channel: string): boolean;
  add(channel: string, error: SlackCallError): void;
}

/** Refusals that apply to every channel of the workspace. The others apply to one channel. */
const everywhere: ReadonlySet<string> = new Set([
  "access_denied",
  "feature_disabled",
  "feature_not_enabled",
  "method_deprecated",
  "missing_recipient_team_id",
  "missing_recipient_user_id",
  "missing_scope",
  "not_allowed_token_type",
  "not_authorized",
  "unknown_method",
]);

const refusedMs = 600_000;
/** How long streams pause after a rate limit without a retry time, milliseconds. */
const limitedMs = 30_000;
const wholeWorkspace = "";

/** The refusals of one workspace. */
export function createStreamRefusals(clock: Pick<Clock, "now">): StreamRefusals {
  const until = new Map<string, number>();
  const holds = (key: string): boolean => {
    const isOver = (until.get(key) ?? 0) <= clock.now();
    if (isOver) until.delete(key);
    return !isOver;
  };
  return {
    has: (channel) => holds(wholeWorkspace) || holds(channel),
    add: (channel, { failure, code, retryAfterMs }) => {
      if (failure === "unavailable") return;
      const isLimit = failure === "rate_limited";
      const key = isLimit || everywhere.has(code) ? wholeWorkspace : channel;
      until.set(key, clock.now() + (isLimit ? (retryAfterMs ?? limitedMs) : refusedMs));
    },
  };
}
