import { z } from "zod";
import type { SlackEvent } from "../events/event-envelope.ts";

/** The events that the local Slack sends, and the scope that each requires. See https://docs.slack.dev/reference/events */
const EVENT_SCOPES: Readonly<Record<string, string | undefined>> = {
  agent_session_stopped: "assistant:write",
  app_home_opened: undefined,
  app_mention: "app_mentions:read",
  app_uninstalled: undefined,
  "message.channels": "channels:history",
  "message.groups": "groups:history",
  "message.im": "im:history",
  "message.mpim": "mpim:history",
  reaction_added: "reactions:read",
  reaction_removed: "reactions:read",
  tokens_revoked: undefined,
};

const text = (longest: number) => z.string().min(1).max(longest);
const type = z.enum(["message", "global"]);
const shortcut = z.strictObject({ name: text(24), type, callback_id: text(255), description: text(150) });
const command = z.looseObject({ command: z.string().regex(/^\/\S{1,31}$/), description: text(2000) });
const interactivity = z.object({ is_enabled: z.boolean() });

/** What the local Slack uses of a manifest. See https://docs.slack.dev/reference/app-manifest */
const MANIFEST = z
  .object({
    features: z.object({
      shortcuts: z.array(shortcut).min(1).max(10).default([]),
      slash_commands: z.array(command).min(1).max(50).default([]),
    }),
    oauth_config: z.object({ scopes: z.object({ bot: z.array(z.string()).min(1).max(255) }) }),
    settings: z.object({
      event_subscriptions: z.object({ bot_events: z.array(z.string()).max(100) }).default({ bot_events: [] }),
      interactivity: interactivity.default({ is_enabled: false }),
    }),
  })
  .transform(({ features: { shortcuts, slash_commands }, oauth_config, settings }, { issues, value }) => {
    const { bot: scopes } = oauth_config.scopes;
    const { bot_events: events } = settings.event_subscriptions;
    const require = (isMet: boolean, message: string, at: string): void => {
      if (!isMet) issues.push({ code: "custom", message, path: at.split("/"), input: value });
    };
    for (const name of events) {
      const { [name]: scope } = EVENT_SCOPES;
      const at = "settings/event_subscriptions/bot_events";
      require(Object.hasOwn(EVENT_SCOPES, name), `invalid event type: ${name}`, at);
      require(scope === undefined || scopes.includes(scope), `${name} requires \`${scope}\` bot scope`, at);
    }
    const isAllowed = shortcuts.length + slash_commands.length === 0 || scopes.includes("commands");
    require(isAllowed, "requires `commands` bot scope", "features");
    require(shortcuts.length === 0 ||
      settings.interactivity.is_enabled, "requires interactivity", "features/shortcuts");
    return { scopes, events, shortcuts, commands: slash_commands.map((one) => one.command) };
  });

/** Reads the JSON of a manifest. Throws an error with every problem, each with its JSON pointer, if Slack would refuse it. */
export function readAppManifest(json: unknown): z.output<typeof MANIFEST> {
  const { data, error } = MANIFEST.safeParse(json);
  if (data) return data;
  const problems = error.issues.map(({ message, path }) => `${message} [json-pointer:/${path.join("/")}]`);
  throw new Error(`invalid_manifest: ${problems.join("; ")}`);
}

/** Returns whether an app with these scopes gets an event. Without `events`, it subscribes to all. */
export function isSubscribed(event: SlackEvent, scopes: readonly string[], events?: readonly string[]): boolean {
  const kind = `message.${String(event["channel_type"])}`.replace(/(channel|group)$/, "$1s");
  const name = event.type === "message" ? kind : event.type;
  const scope = EVENT_SCOPES[name];
  return (events?.includes(name) ?? true) && (scope === undefined || scopes.includes(scope));
}
