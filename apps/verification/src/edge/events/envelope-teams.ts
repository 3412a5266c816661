import type { SlackIdentity, WorkspaceId } from "../../slack/slack-api.ts";
import type { SlackEnvelope } from "./slack-event.ts";

/**
 * Returns the workspace of an event. Slack sends an event once, and names one of the installations that can see it. Without a name, the
 * event is for the team that it comes from.
 */
export function workspaceOf({ authorizations = [], team_id, context_team_id }: SlackEnvelope): WorkspaceId {
  const [authorization] = authorizations;
  const from = context_team_id ?? team_id ?? "";
  if (authorization?.is_enterprise_install === true)
    return { team_id: from, org_id: authorization.enterprise_id ?? "" };
  return { team_id: authorization?.team_id ?? from };
}

/**
 * Returns the teams that an envelope comes from; empty if it names none. If the installing team is among the teams that can see the event,
 * it is the only one; otherwise all of them count. A single-token Bolt app would run its listeners for any of them.
 * https://docs.slack.dev/apis/events-api#authorizations
 */
export function teamsOf(envelope: SlackEnvelope, { team_id: installed }: SlackIdentity): readonly string[] {
  const { team_id, context_team_id, authorizations = [] } = envelope;
  const named = [team_id, context_team_id].filter((team) => team !== undefined);
  if (named.length === 0) return [];
  const authorized = authorizations.flatMap((authorization) => authorization.team_id ?? []);
  const counting = authorized.includes(installed) ? [installed] : authorized;
  return [...new Set([...named, ...counting])];
}
