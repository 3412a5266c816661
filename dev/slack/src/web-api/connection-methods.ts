import { z } from "zod";
import { tokensRevokedEvent } from "../events/event-envelope.ts";
import { flag, whole } from "./arguments.ts";
import { SlackError } from "./slack-error.ts";
import { webMethod, type WebMethod } from "./web-method.ts";

/** Methods of the connection. See https://docs.slack.dev/reference/methods/auth.test */
export const CONNECTION_METHODS: readonly WebMethod[] = [
  webMethod("auth.test", {
    tier: "tier_4",
    token: "any",
    args: z.object({}),
    run: ({ state, token }) => {
      const { team, app, organization } = state.directory.workspace;
      if (token === "app") return { app_name: app.name, app_id: app.app_id };
      return {
        url: `${state.url}/`,
        team: (organization ?? team).name,
        user: state.directory.bot.name,
        team_id: (organization ?? team).id,
        user_id: app.bot_user_id,
        bot_id: app.bot_id,
        ...(organization && { enterprise_id: organization.id }),
        is_enterprise_install: organization !== undefined,
      };
    },
  }),

  webMethod("auth.teams.list", {
    tier: "tier_2",
    args: z.object({ cursor: z.string().optional(), limit: whole.optional() }),
    run: ({ state: { directory } }) => {
      const { team, organization } = directory.workspace;
      const teams = [team, ...(organization?.siblings ?? [])].map(({ id, name }) => ({ id, name }));
      return { teams, response_metadata: { next_cursor: "" } };
    },
  }),

  webMethod("auth.revoke", {
    tier: "tier_3",
    args: z.object({ test: flag.optional() }),
    run: ({ state, events, revoke }, { test = false }) => {
      if (test) return { revoked: false };
      revoke();
      events.send(tokensRevokedEvent(state));
      return { revoked: true };
    },
  }),

  webMethod("apps.connections.open", {
    tier: "tier_3",
    token: "app",
    args: z.object({}),
    run: ({ httpMethod, openSocketUrl }) => {
      if (httpMethod !== "POST") throw new SlackError("insecure_request");
      return { url: openSocketUrl() };
    },
  }),
];
