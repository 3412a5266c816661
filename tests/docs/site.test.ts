import { globSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { root, sidebar, siteFile, siteLink, slugOf } from "./site-pages.ts";

test.each([
  ["docs/agents.md", "agents.md"],
  ["docs/quickstart/slack.md", "quickstart/slack.md"],
  ["packages/jobs/README.md", "packages/jobs.md"],
  ["CONTRIBUTING.md", "contributing.md"],
])("the site shows %s as %s", (file, shown) => {
  expect(siteFile(file)).toBe(shown);
});

test.each([
  ["../examples/README.md", "/examples.md"],
  ["quickstart/slack.md#2-copy-two-tokens", "/quickstart/slack.md#2-copy-two-tokens"],
  ["#errors", "#errors"],
  ["https://a2a-protocol.org", "https://a2a-protocol.org"],
  ["../schemas/errors.json", undefined],
])("a link of a page to %s is %s on the site", (href, link) => {
  expect(siteLink(href, resolve(root, "docs/agents.md"))).toBe(link);
});

test("a heading has the anchor that GitHub gives it", () => {
  expect(slugOf("At 3 a.m.")).toBe("at-3-am");
  expect(slugOf("What is kept, and for how long")).toBe("what-is-kept-and-for-how-long");
});

test("the sidebar has every page of docs/", () => {
  const links = new Set(sidebar.flatMap(({ items }) => items.map(({ link }) => link)));
  const pages = globSync("docs/**/*.md", { cwd: root }).map((file) => `/${siteFile(file).replace(/\.md$/, "")}`);
  expect(pages.filter((page) => !links.has(page))).toEqual([]);
});
