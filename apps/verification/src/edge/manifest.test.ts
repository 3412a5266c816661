import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { z } from "zod";
import { slackMethods } from "../workspaces/traces.ts";
import { redirectPath } from "./install-pages.ts";
import { slackPath } from "./slack-connection.ts";
import { listenedEvents } from "./bolt-app.ts";
import { listenedCommands, messageShortcut } from "../slack/interaction.ts";

const manifest = z
  .object({
    display_information: z.object({
      name: z.string().max(35),
      description: z.string().max(140),
      long_description: z.string().min(174).max(4_000),
    }),
    features: z.object({
      slash_commands: z.array(
        z.object({
          command: z.string(),
          url: z.url({ protocol: /^https$/ }),
          description: z.string().max(2_000),
          usage_hint: z.string().max(1_000).optional(),
          should_escape: z.literal(false),
        }),
      ),
      shortcuts: z.tuple([z.object({ type: z.literal("message"), callback_id: z.literal(messageShortcut) })]),
      bot_user: z.object({ display_name: z.string().max(80) }),
      agent_view: z.object({
        agent_description: z.string().max(300),
        suggested_prompts: z.array(z.object({ title: z.string(), message: z.string() })).max(4),
      }),
    }),
    oauth_config: z.object({
      redirect_urls: z.array(z.url({ protocol: /^https$/ })),
      scopes: z.strictObject({ bot: z.array(z.string()) }),
    }),
    settings: z.object({ event_subscriptions: z.object({ request_url: z.url(), bot_events: z.array(z.string()) }) }),
  })
  .parse(JSON.parse(readFileSync(new URL("../../slack-app-manifest.json", import.meta.url), "utf8")));
const { slash_commands } = manifest.features;
const { redirect_urls } = manifest.oauth_config;
const scopes = manifest.oauth_config.scopes.bot;
const { request_url, bot_events } = manifest.settings.event_subscriptions;

const history = ["channels:history", "groups:history", "im:history", "mpim:history"];
/**
 * The scopes that each method and event of Slack requires. https://docs.slack.dev/reference/methods,
 * https://docs.slack.dev/reference/events
 */
const methodScopes: Record<string, string[]> = {
  "auth.test": [],
  "auth.teams.list": [],
  "bots.info": ["users:read"],
  "chat.postMessage": ["chat:write"],
  "chat.update": ["chat:write"],
  "chat.delete": ["chat:write"],
  "chat.getPermalink": [],
  "chat.startStream": ["chat:write"],
  "chat.appendStream": ["chat:write"],
  "chat.stopStream": ["chat:write"],
  "chat.postEphemeral": ["chat:write"],
  "conversations.open": ["im:write"],
  "usergroups.users.list": ["usergroups:read"],
  "usergroups.list": ["usergroups:read"],
  "views.open": [],
  "views.update": [],
  "views.publish": [],
  "conversations.info": ["channels:read", "groups:read", "im:read", "mpim:read"],
  "conversations.replies": history,
  "users.conversations": ["channels:read", "groups:read", "im:read", "mpim:read"],
  "files.info": ["files:read"],
  "files.completeUploadExternal": ["files:write"],
  // An app that is declared as an agent has this scope too.
  "agents.sessions.setStatus": ["chat:write", "assistant:write"],
  "team.info": ["team:read"],
  "users.info": ["users:read"],
};
const eventScopes: Record<string, string[]> = {
  app_mention: ["app_mentions:read"],
  agent_session_stopped: ["assistant:write"],
  // https://docs.slack.dev/reference/events/app_uninstalled, https://docs.slack.dev/reference/events/tokens_revoked
  app_uninstalled: [],
  tokens_revoked: [],
  // https://docs.slack.dev/reference/events/app_home_opened
  app_home_opened: [],
  reaction_added: ["reactions:read"],
  "message.channels": ["channels:history"],
  "message.groups": ["groups:history"],
  "message.im": ["im:history"],
  "message.mpim": ["mpim:history"],
};

test("the manifest requests exactly the scopes that the code uses", () => {
  const used = [...Object.values(slackMethods), ...bot_events].flatMap((name) => {
    const needed = methodScopes[name] ?? eventScopes[name];
    expect(needed, `the scopes of ${name} are known`).toBeDefined();
    return needed ?? [];
  });
  // Also of shortcuts.
  used.push("commands");
  expect(new Set(scopes)).toEqual(new Set(used));
  expect(scopes).toEqual([...new Set(scopes)].toSorted());
});

test("the manifest subscribes to the events that the code handles, under settings", () => {
  const listened = listenedEvents.flatMap((name) =>
    name === "message" ? ["message.channels", "message.groups", "message.im", "message.mpim"] : [name],
  );
  expect(bot_events.toSorted()).toEqual(listened.toSorted());
  expect(new URL(request_url).pathname).toBe(slackPath);
});

test("the manifest declares the slash commands that the code handles, at the URL that handles them", () => {
  expect(slash_commands.map(({ command }) => command)).toEqual([...listenedCommands]);
  for (const { url } of slash_commands) expect(url).toBe(request_url);
});

test("the manifest's redirect URL is the zone's, at the host that receives events", () => {
  expect(redirect_urls).toEqual([new URL(redirectPath, request_url).href]);
});
