import { switches, type AccessPolicy } from "./access-policy.ts";

/** Returns a policy as sentences for the log, one for each list and switch. */
export function policyInWords(policy: AccessPolicy): Record<string, string> {
  const { allowed_teams, allowed_channels, allowed_users, channel_agents, follow, channel_follow, apps } = policy;
  const positions = Object.entries(switches).map(([name, { logged, on, off }]) => [
    logged,
    policy[name as keyof typeof switches] ? on : off,
  ]);
  return {
    teams:
      allowed_teams.size === 0
        ? "No other team is listed: only members of the team that installed the app can ask."
        : `Members of the team that installed the app can ask, and members of ${named(allowed_teams)}.`,
    channels:
      allowed_channels.size === 0
        ? "No channel is listed: the app answers in every conversation that it is in."
        : `The app answers only in ${named(allowed_channels)}.`,
    users:
      allowed_users.size === 0
        ? "No person is listed: only members of these teams can ask."
        : `Only ${named(allowed_users)} can ask.`,
    ...(Object.fromEntries(positions) as Record<string, string>),
    channel_agents:
      channel_agents.size === 0
        ? "No channel has its own agent."
        : `Agents of channels: ${named(pairs(channel_agents))}.`,
    follow: followed[follow],
    ...(channel_follow.size > 0 && { channel_follow: `Threads follow by channel: ${named(pairs(channel_follow))}.` }),
    apps:
      apps.size === 0
        ? "No app is listed: posts of apps as a person are no questions."
        : `Posts as a person are questions, of these apps or people: ${named(apps)}.`,
  };
}

const followed = {
  requester: "Threads follow their requesters: others mention the app.",
  everybody: "Threads follow everybody in them.",
  mentions: "Threads follow nobody: every question mentions the app.",
} satisfies Record<AccessPolicy["follow"], string>;

const pairs = (map: ReadonlyMap<string, string>): ReadonlySet<string> =>
  new Set([...map].map(([channel, value]) => `${channel} ${value}`));

const most = 10;

function named(ids: ReadonlySet<string>): string {
  const shown = [...ids].slice(0, most).join(", ");
  return ids.size > most ? `${shown} and ${ids.size - most} more` : shown;
}
