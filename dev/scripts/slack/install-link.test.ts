import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { installLink } from "./install-link.ts";

const root = resolve(import.meta.dirname, "../../..");
const text = readFileSync(resolve(root, "apps/verification/slack-app-manifest.json"), "utf8");
const link = installLink(JSON.parse(text) as Parameters<typeof installLink>[0]);

test("the quickstart has this link; otherwise run `pnpm generate`", () => {
  expect(readFileSync(resolve(root, "docs/quickstart/slack.md"), "utf8")).toContain(`](${link})`);
});
