import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { newSlackId } from "../workspace/slack-id.ts";

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
