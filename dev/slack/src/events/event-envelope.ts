import { newSlackId } from "../workspace/slack-clock.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";

/** Why Slack retries an event; `timeout` is Socket Mode's. See https://docs.slack.dev/apis/events-api#retries */
export type RetryReason =
  "http_timeout" | "http_error" | "connection_failed" | "ssl_error" | "unknown_error" | "timeout";

/** One attempt to deliver an event. */
export interface EventAttempt {
  envelope: EventEnvelope;
  /** 0 for the first attempt. */
  retryNum: number;
  /** Set on a retry: why the previous attempt failed. */
  retryReason?: RetryReason;
}

/** The outcome of one attempt. */
export interface AttemptOutcome {
  /** HTTP status; 200 for an acknowledged socket message; 0 without a response. */
  status: number;
  accepted: boolean;
  /** The app answered `X-Slack-No-Retry: 1`. */
  noRetry: boolean;
  /** Set if it was not accepted. */
  reason?: RetryReason;
  /** The sent request, for the traffic record. */
  request: unknown;
  response: unknown;
}

/** Delivers one attempt and never rejects; `signal` aborts it, as a failure. */
export type EventTransport = (attempt: EventAttempt, signal: AbortSignal) => Promise<AttemptOutcome>;

/** An event as an app receives it. */
export interface SlackEvent {
  type: string;
  event_ts: string;
  [member: string]: unknown;
}

/** The `event_callback` around an event. See https://docs.slack.dev/apis/events-api#callback-field */
export interface EventEnvelope {
  token: string;
  team_id: string;
  context_team_id: string;
  context_enterprise_id: string | null;
  api_app_id: string;
  event: SlackEvent;
  type: "event_callback";
  event_id: string;
  /** Unix seconds. */
  event_time: number;
  authorizations: {
    enterprise_id: string | null;
    team_id: string;
    user_id: string;
    is_bot: boolean;
    is_enterprise_install: boolean;
  }[];
  is_ext_shared_channel: boolean;
  event_context: string;
}

/** Wraps an event with a new `event_id`. An event from a Slack Connect channel is marked as such. */
export function wrapEvent(event: SlackEvent, state: WorkspaceState): EventEnvelope {
  const { team, app } = state.directory.workspace;
  const channel = typeof event["channel"] === "string" ? state.directory.channel(event["channel"]) : undefined;
  return {
    token: "deprecated-verification-token",
    team_id: team.id,
    context_team_id: team.id,
    context_enterprise_id: null,
    api_app_id: app.app_id,
    event,
    type: "event_callback",
    event_id: newSlackId("Ev"),
    event_time: state.clock.seconds(),
    authorizations: [
      { enterprise_id: null, team_id: team.id, user_id: app.bot_user_id, is_bot: true, is_enterprise_install: false },
    ],
    is_ext_shared_channel: channel?.is_ext_shared === true,
    event_context: `4-${Buffer.from(JSON.stringify({ et: event.type, tid: team.id, aid: app.app_id })).toString("base64url")}`,
  };
}
