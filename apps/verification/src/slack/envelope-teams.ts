import type { SlackIdentity, WorkspaceId } from "./slack-api.ts";
import type { SlackEnvelope } from "./slack-event.ts";

/**
 * The workspace that an event is for: Slack names one of the installations that may see it, and sends it once however many there are.
 * What names none is for the team that it comes from.
 */
export function workspaceOf({ authorizations = [], team_id, context_team_id }: SlackEnvelope): WorkspaceId {
  const [authorization] = authorizations;
  const from = context_team_id ?? team_id ?? "";
  if (authorization?.is_enterprise_install === true)
    return { team_id: from, org_id: authorization.enterprise_id ?? "" };
  return { team_id: authorization?.team_id ?? from };
}

/**
 * The teams that an envelope says it comes from; none when it does not say. Of the teams that may see the event, the one that
 * installed the app counts; when it is not among them, all the others do. A single-token Bolt app would run its listeners for any of
 * them. https://docs.slack.dev/apis/events-api#authorizations
 */
export function teamsOf(envelope: SlackEnvelope, { team_id: installed }: SlackIdentity): readonly string[] {
  const { team_id, context_team_id, authorizations = [] } = envelope;
  const named = [team_id, context_team_id].filter((team) => team !== undefined);
  if (named.length === 0) return [];
  const authorized = authorizations.flatMap((authorization) => authorization.team_id ?? []);
  const counting = authorized.includes(installed) ? [installed] : authorized;
  return [...new Set([...named, ...counting])];
}
