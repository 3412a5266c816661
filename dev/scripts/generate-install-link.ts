/** Writes the link that creates the Slack app into docs/quickstart/slack.md, from the app's manifest. Part of `pnpm generate`. */
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { installLink } from "./slack/install-link.ts";

const root = resolve(import.meta.dirname, "../..");
const manifest = JSON.parse(readFileSync(resolve(root, "apps/verification/slack-app-manifest.json"), "utf8")) as never;
const page = resolve(root, "docs/quickstart/slack.md");
const link = installLink(manifest);
// A function, so that nothing of the link is read as a pattern's group.
writeFileSync(
  page,
  readFileSync(page, "utf8").replace(/\]\(https:\/\/api\.slack\.com\/apps\?new_app=1[^)]*\)/, () => `](${link})`),
);
