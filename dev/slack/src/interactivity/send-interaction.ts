import { answerEntry, type AppSender } from "../events/app-sender.ts";
import type { Interaction, Warning } from "../protocol/interactivity.ts";
import type { User } from "../protocol/workspace.ts";
import type { TrafficLog } from "../traffic/traffic-log.ts";
import type { Json } from "../web-api/block-checks.ts";
import { SlackError } from "../web-api/slack-error.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";

/** Members of a payload that replace Slack's own: for other apps, teams and users. */
export type Overrides = Readonly<Json>;

/** An interaction to send. */
interface SentInteraction {
  readonly type: "block_actions" | "message_action" | "view_submission" | "view_closed";
  readonly user: User;
  readonly payload: Json;
  /** The `ts` of the message, or the id of the view. */
  readonly on: string;
  /** Takes what the app says in its acknowledgment; throws a `SlackError` for what Slack does not accept. */
  readonly take?: (said: unknown) => Partial<Interaction>;
}

/** Sends an interaction once. Without a valid acknowledgment in time, the person sees a warning sign, unless the view is closed. */
export type InteractionSender = (interaction: SentInteraction) => Promise<Interaction>;

/** The parts of the sender. */
export interface InteractionSenderParts {
  readonly state: WorkspaceState;
  readonly traffic: TrafficLog;
  readonly send: AppSender;
  /** Gets every warning sign. */
  readonly warnings: Warning[];
}

/** See https://docs.slack.dev/interactivity/handling-user-interaction */
export function createInteractionSender({ state, traffic, send, warnings }: InteractionSenderParts): InteractionSender {
  return async ({ type, user, payload, on, take }) => {
    const sent = { ...basePayload(type, user, state), ...payload };
    const at = Date.now();
    const answer = await send("interactive", sent);
    traffic.record({ ...answerEntry(type, answer), at, request: { body: { payload: sent } } });
    const { status, ms, said } = answer;
    let { error: warning }: { error?: string } = answer;
    let taken: Partial<Interaction> = {};
    try {
      if (warning === undefined && take) taken = take(said);
    } catch (error) {
      if (!(error instanceof SlackError)) throw error;
      warning = error.code;
    }
    if (warning === undefined) return { status, ms, ...taken };
    if (type === "view_closed") return { status, ms };
    const sign = { user: user.id, type, on, error: warning };
    warnings.push(sign);
    state.feed.publish({ type: "warning", warning: sign });
    return { status, ms, warning };
  };
}

function basePayload(type: string, user: User, { directory }: WorkspaceState): Json {
  const { team, app, organization } = directory.workspace;
  return {
    type,
    user: { id: user.id, username: user.name, name: user.name, team_id: directory.teamOf(user) },
    // No observed payload of a shortcut names the app.
    ...(type !== "message_action" && { api_app_id: app.app_id }),
    token: "deprecated-verification-token",
    // As Bolt reads it: the person's team tells the workspace.
    team: organization ? null : { id: team.id, domain: team.domain },
    enterprise: organization ?? null,
    is_enterprise_install: organization !== undefined,
  };
}
