import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { installLink } from "./install-link.ts";

const root = resolve(import.meta.dirname, "../../..");
const text = readFileSync(resolve(root, "apps/verification/slack-app-manifest.json"), "utf8");
const link = installLink(JSON.parse(text) as Parameters<typeof installLink>[0]);

/** What Slack reads of a link. */
const read = (url: string): Record<string, never> => JSON.parse(new URL(url).searchParams.get("manifest_json") ?? "");

test("the link opens the form for a new app, with Socket Mode and everything else as in the manifest", () => {
  expect(new URL(link).searchParams.get("new_app")).toBe("1");
  const { features, oauth_config: oauth, settings } = JSON.parse(text) as Record<string, Record<string, never>>;
  expect(read(link)).toMatchObject({
    features: { bot_user: features?.["bot_user"], agent_view: features?.["agent_view"] },
    oauth_config: { scopes: oauth?.["scopes"] },
    settings: { socket_mode_enabled: true, interactivity: settings?.["interactivity"] },
  });
  expect(link).not.toContain("example.com");
  expect(link.length).toBeLessThan(8_000);
});

test("the quickstart has this link; otherwise run `pnpm generate`", () => {
  expect(readFileSync(resolve(root, "docs/quickstart/slack.md"), "utf8")).toContain(`](${link})`);
});
