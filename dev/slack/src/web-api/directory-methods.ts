import { z } from "zod";
import type { User, Workspace } from "../protocol/workspace.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { SlackError } from "./slack-error.ts";
import { type CallContext, webMethod, type WebMethod } from "./web-method.ts";

/** The author of tombstones, in every workspace. Slack does not mark it as a bot. */
const SLACKBOT: User = { id: "USLACKBOT", name: "slackbot", real_name: "Slackbot", is_bot: false, tz: "Etc/UTC" };

/** Methods of people, bots and the team. See https://docs.slack.dev/reference/methods?family=users */
export const DIRECTORY_METHODS: readonly WebMethod[] = [
  webMethod("users.info", {
    tier: "tier_4",
    scopes: ["users:read"],
    args: z.object({ user: z.string() }),
    run: (context, args) => {
      const user = context.state.directory.user(args.user) ?? (args.user === SLACKBOT.id ? SLACKBOT : undefined);
      if (!user) throw new SlackError("user_not_found");
      if (user.is_hidden) throw new SlackError("user_not_visible");
      return { user: toApiUser(user, context) };
    },
  }),

  webMethod("bots.info", {
    tier: "tier_3",
    scopes: ["users:read"],
    ofTeam: true,
    args: z.object({ bot: z.string() }),
    run: ({ state }, args) => {
      const user = state.directory.workspace.users.find(({ bot_id }) => bot_id === args.bot);
      if (!user) throw new SlackError("bot_not_found");
      const { app } = state.directory.workspace;
      const app_id = args.bot === app.bot_id ? app.app_id : `A${args.bot.slice(1)}`;
      return {
        bot: { id: args.bot, deleted: false, name: user.real_name, updated: 0, app_id, user_id: user.id, icons: {} },
      };
    },
  }),

  webMethod("team.info", {
    tier: "tier_3",
    scopes: ["team:read"],
    args: z.object({ team: z.string().optional() }),
    run: ({ state }, args) => {
      const { team: own } = state.directory.workspace;
      const team = args.team === undefined || args.team === own.id ? own : otherTeam(args.team, state);
      if (!team) throw new SlackError("team_not_found");
      return {
        team: { ...team, url: `${state.url}/`, email_domain: "", icon: { image_default: true }, is_verified: false },
      };
    },
  }),
];

/** Returns another team that the app can see: a sibling of the organization, or one whose people share a channel with it. */
function otherTeam(id: string, { directory }: WorkspaceState): Workspace["team"] | undefined {
  const sibling = directory.sibling(id);
  if (sibling) return sibling;
  const { channels, partners } = directory.workspace;
  const shared = channels.filter((channel) => channel.is_ext_shared && channel.members.includes(directory.bot.id));
  const people = shared.flatMap(({ members }) => members.flatMap((member) => directory.user(member) ?? []));
  const isConnected = people.some((user) => !user.is_stranger && directory.teamOf(user) === id);
  const unnamed = { id, name: id, domain: id.toLowerCase() };
  return isConnected ? (partners?.find((team) => team.id === id) ?? unnamed) : undefined;
}

/**
 * Returns the user in the format of the Web API. A deactivated user has no time zone and no roles; an e-mail address requires the scope
 * `users:read.email`. See https://docs.slack.dev/reference/objects/user-object
 */
function toApiUser(user: User, { state, scopes }: Pick<CallContext, "state" | "scopes">): Record<string, unknown> {
  const { app } = state.directory.workspace;
  const team_id = state.directory.teamOf(user);
  const [first_name = "", ...rest] = user.real_name.split(" ");
  const { display_name = user.name } = user;
  return {
    id: user.id,
    team_id,
    name: user.name,
    deleted: user.deleted === true,
    ...(!user.deleted && activeMembers(user)),
    profile: {
      title: "",
      phone: "",
      real_name: user.real_name,
      real_name_normalized: user.real_name,
      display_name,
      display_name_normalized: display_name,
      status_text: "",
      status_emoji: "",
      status_expiration: 0,
      first_name,
      last_name: rest.join(" "),
      ...(user.email !== undefined && scopes.includes("users:read.email") && { email: user.email }),
      team: team_id,
      ...(user.bot_id !== undefined && {
        bot_id: user.bot_id,
        api_app_id: user.bot_id === app.bot_id ? app.app_id : `A${user.bot_id.slice(1)}`,
        always_active: true,
      }),
    },
    is_bot: user.is_bot,
    is_app_user: false,
    updated: 0,
    ...(user.is_stranger && { is_stranger: true }),
  };
}

function activeMembers(user: User): Record<string, unknown> {
  return {
    color: "9f69e7",
    real_name: user.real_name,
    tz: user.tz,
    tz_label: user.tz.replaceAll("_", " "),
    tz_offset: offsetSeconds(user.tz),
    is_admin: false,
    is_owner: false,
    is_primary_owner: false,
    is_restricted: user.is_restricted === true,
    is_ultra_restricted: user.is_ultra_restricted === true,
    is_email_confirmed: true,
    who_can_share_contact_card: "EVERYONE",
  };
}

/** Returns the seconds by which a time zone is currently ahead of UTC. */
function offsetSeconds(timeZone: string): number {
  const name = new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" })
    .formatToParts()
    .find(({ type }) => type === "timeZoneName")?.value;
  const [, sign, hours, minutes] = /GMT([+-])(\d\d):(\d\d)/.exec(name ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 3600 + Number(minutes ?? 0) * 60);
}
