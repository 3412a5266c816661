import type { SlackIdentity } from "./slack-api.ts";
import type { SlackEnvelope, SlackMessageEvent } from "./slack-event.ts";

/** Where a signed event says it comes from: `own` app and workspace, or why not. */
export type EnvelopeOrigin = "own" | "wrong_app" | "foreign_team";

/**
 * Checks what a signature does not say: that the event is for this app, and of the workspace that installed it. A single-token
 * Bolt app would run its listeners for any other team too. An event without any team is foreign.
 */
export function envelopeOrigin(
  envelope: SlackEnvelope,
  identity: SlackIdentity,
  appId: string | undefined,
): EnvelopeOrigin {
  const { api_app_id, team_id, context_team_id, authorizations = [] } = envelope;
  if (appId !== undefined && api_app_id !== appId) return "wrong_app";
  const authorized = authorizations.flatMap((authorization) => authorization.team_id ?? []);
  const named = [team_id, context_team_id].filter((team) => team !== undefined);
  const ours =
    named.length > 0 &&
    named.every((team) => isOurs(team, identity)) &&
    (authorized.length === 0 || authorized.some((team) => isOurs(team, identity)));
  return ours ? "own" : "foreign_team";
}

/** Whether the author belongs to another workspace, as people of a shared channel do. */
export function isForeignAuthor({ user_team, team }: SlackMessageEvent, identity: SlackIdentity): boolean {
  return [user_team, team].some((home) => home !== undefined && !isOurs(home, identity));
}

function isOurs(team: string, { team_id, enterprise_id }: SlackIdentity): boolean {
  return team === team_id || team === enterprise_id;
}
