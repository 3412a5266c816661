import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { callWebApi, devSlackForTest, recordingApp, verdicts } from "../testing/dev-slack-for-test.ts";
import { readAppManifest } from "./app-manifest.ts";

const product = readFileSync(new URL("../../../../apps/verification/slack-app-manifest.json", import.meta.url), "utf8");
const shortcut = { name: "Ask about this", type: "message", callback_id: "ask", description: "Asks" };

/** The product's manifest, with more features, scopes and events. */
function manifest({ features = {}, scopes = [] as string[], events = [] as string[] } = {}) {
  const { oauth_config, settings, ...rest } = JSON.parse(product);
  oauth_config.scopes.bot.push(...scopes);
  settings.event_subscriptions.bot_events.push(...events);
  return { ...rest, features: { ...rest.features, ...features }, oauth_config, settings };
}
const without = (scope: string) => {
  const all = manifest();
  all.oauth_config.scopes.bot = all.oauth_config.scopes.bot.filter((one: string) => one !== scope);
  return all;
};

test("the product's manifest is accepted, with a shortcut and reactions too", () => {
  const more = { features: { shortcuts: [shortcut] }, scopes: ["reactions:read"], events: ["reaction_added"] };
  expect(readAppManifest(manifest(more))).toMatchObject({
    shortcuts: [shortcut],
    commands: ["/agents", "/usage"],
    scopes: expect.arrayContaining(["commands", "reactions:read"]),
    events: expect.arrayContaining(["message.im", "reaction_added"]),
  });
});

const shortcuts = (...list: object[]) => manifest({ features: { shortcuts: list } });

test.each<[string, unknown, string]>([
  ["a name over 24", shortcuts({ ...shortcut, name: "x".repeat(25) }), "/features/shortcuts/0/name"],
  ["another type", shortcuts({ ...shortcut, type: "channel" }), "/features/shortcuts/0/type"],
  ["no description", shortcuts({ ...shortcut, description: undefined }), "/features/shortcuts/0/description"],
  [
    "a callback_id over 255",
    shortcuts({ ...shortcut, callback_id: "x".repeat(256) }),
    "/features/shortcuts/0/callback_id",
  ],
  ["an unknown member", shortcuts({ ...shortcut, url: "x" }), "/features/shortcuts/0"],
  ["eleven shortcuts", shortcuts(...Array.from({ length: 11 }, () => shortcut)), "/features/shortcuts]"],
  ["an empty list", shortcuts(), "/features/shortcuts]"],
  ["no interactivity", { ...shortcuts(shortcut), settings: {} }, "requires interactivity"],
  ["commands without their scope", without("commands"), "requires `commands` bot scope"],
  ["reaction_added without its scope", without("reactions:read"), "reaction_added requires `reactions:read` bot scope"],
  ["message.im without its scope", without("im:history"), "message.im requires `im:history` bot scope"],
  ["an unknown event", manifest({ events: ["app_mentions"] }), "invalid event type: app_mentions"],
])("a manifest with %s is refused, as in Slack", async (_what, value, problem) => {
  await expect(devSlackForTest({ manifest: value })).rejects.toThrow(problem);
});

test("an app gets the events that it subscribes to, and only with the scope that the workspace granted", async () => {
  const { url } = await recordingApp();
  const all = manifest();
  all.settings.event_subscriptions.bot_events = ["message.channels", "message.im"];
  const dev = await devSlackForTest({ eventsUrl: url, manifest: all, scopes: ["channels:history", "reactions:read"] });
  const { ts } = dev.control.postMessage({ channel: "general", text: "@Crosszone hi" });
  dev.control.react({ channel: "general", ts, user: "bob", reaction: "eyes" });
  dev.control.postMessage({ channel: "leads", text: "hi" });
  dev.control.postMessage({ channel: "dm", text: "hi" });
  await dev.control.idle();
  expect(verdicts(dev)).toEqual(["accepted"]);
  expect(await callWebApi(dev, "users.info", { user: "U0BOB000001" })).toMatchObject({ error: "missing_scope" });
});
