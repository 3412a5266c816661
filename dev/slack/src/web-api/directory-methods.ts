import { z } from "zod";
import type { Workspace } from "../protocol/workspace.ts";
import type { WorkspaceState } from "../workspace/workspace-state.ts";
import { PAGE_ARGUMENTS, pageOf } from "./lists.ts";
import { SlackError } from "./slack-error.ts";
import { toApiUser } from "./user-shape.ts";
import { webMethod, type WebMethod } from "./web-method.ts";

/** Methods of people, bots and the team. See https://docs.slack.dev/reference/methods?family=users */
export const DIRECTORY_METHODS: readonly WebMethod[] = [
  webMethod("users.info", {
    tier: "tier_4",
    scopes: ["users:read"],
    args: z.object({ user: z.string() }),
    run: (context, args) => {
      const user = context.state.directory.user(args.user);
      if (!user) throw new SlackError("user_not_found");
      return { user: toApiUser(user, context) };
    },
  }),

  webMethod("users.list", {
    tier: "tier_2",
    scopes: ["users:read"],
    args: z.object(PAGE_ARGUMENTS),
    run: (context, args) => {
      const { state } = context;
      const { items, response_metadata } = pageOf(
        state.directory.workspace.users.filter(
          (user) => state.directory.teamOf(user) === state.directory.workspace.team.id,
        ),
        args,
        1000,
      );
      return {
        members: items.map((user) => toApiUser(user, context)),
        cache_ts: state.clock.seconds(),
        response_metadata,
      };
    },
  }),

  webMethod("bots.info", {
    tier: "tier_3",
    scopes: ["users:read"],
    args: z.object({ bot: z.string(), team_id: z.string().optional() }),
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
      const team = args.team === undefined || args.team === own.id ? own : connectedTeam(args.team, state);
      if (!team) throw new SlackError("team_not_found");
      return {
        team: { ...team, url: `${state.url}/`, email_domain: "", icon: { image_default: true }, is_verified: false },
      };
    },
  }),
];

/** Returns another team that the app can see: one whose people share a channel with it. */
function connectedTeam(id: string, { directory }: WorkspaceState): Workspace["team"] | undefined {
  const { channels } = directory.workspace;
  const shared = channels.filter((channel) => channel.is_ext_shared && channel.members.includes(directory.bot.id));
  const people = shared.flatMap(({ members }) => members.flatMap((member) => directory.user(member) ?? []));
  const isConnected = people.some((user) => !user.is_stranger && directory.teamOf(user) === id);
  return isConnected ? { id, name: id, domain: id.toLowerCase() } : undefined;
}
