import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "../..");
const textOf = (path: string): string => readFileSync(resolve(root, path), "utf8");

test("Q16: the console, the local Slack and the documentation have one logo", () => {
  const logo = textOf("dev/slack/src/page/crosszone.svg");
  expect(textOf("packages/console/src/browser/crosszone.svg")).toBe(logo);
  expect(textOf("site/.vitepress/config.ts")).toContain('"dev/slack/src/page/crosszone.svg"');
  expect(textOf("dev/slack/src/page/index.html")).toContain('rel="icon" href="/crosszone.svg"');
  // The picture of the app in the local Slack is drawn on a grid of 20 instead of 32.
  const drawn = [...logo.matchAll(/ d="([^"]+)"/g)].map(([, path = ""]) => path).join("");
  const scaled = drawn.replaceAll(/\d+/g, (length) => String((Number(length) * 20) / 32));
  const [, icon = ""] = /\bwall: "([^"]+)"/.exec(textOf("dev/slack/src/page/frame/element.ts")) ?? [];
  expect(icon.replaceAll(/\d+(\.\d+)?/g, (length) => String(Number(length)))).toBe(scaled);
});
