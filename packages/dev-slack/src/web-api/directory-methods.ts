import { z } from "zod";
import { PAGE_ARGUMENTS, pageOf } from "./paging.ts";
import { SlackError } from "./slack-error.ts";
import { toApiUser } from "./user-shape.ts";
import { webMethod } from "./web-method.ts";
import type { WebMethod } from "./web-method.ts";

/** Methods about people, bots and the team. See https://docs.slack.dev/reference/methods?family=users */
export const DIRECTORY_METHODS: readonly WebMethod[] = [
  webMethod("users.info", {
    tier: "tier_4",
    scopes: ["users:read"],
    args: z.object({ user: z.string() }),
    run: ({ state }, args) => {
      const user = state.directory.user(args.user);
      if (!user) throw new SlackError("user_not_found");
      return { user: toApiUser(user, state) };
    },
  }),

  webMethod("users.list", {
    tier: "tier_2",
    scopes: ["users:read"],
    args: z.object(PAGE_ARGUMENTS),
    run: ({ state }, args) => {
      const { items, response_metadata } = pageOf(
        state.directory.workspace.users.filter(({ is_stranger }) => !is_stranger),
        args,
        1000,
      );
      return {
        members: items.map((user) => toApiUser(user, state)),
        cache_ts: state.clock.seconds(),
        response_metadata,
      };
    },
  }),

  webMethod("bots.info", {
    tier: "tier_3",
    scopes: ["users:read"],
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
      const { team } = state.directory.workspace;
      if (args.team !== undefined && args.team !== team.id) throw new SlackError("team_not_found");
      return {
        team: { ...team, url: `${state.url}/`, email_domain: "", icon: { image_default: true }, is_verified: false },
      };
    },
  }),
];
