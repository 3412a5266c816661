import { globSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { menus, nav, root, sidebar, siteFile, siteLink, slugOf } from "./site-pages.ts";

test.each([
  ["docs/index.md", "index.md"],
  ["docs/agents.md", "guides/agents.md"],
  ["docs/reference/agents.md", "reference/agents.md"],
  ["docs/quickstart/slack.md", "start/slack.md"],
  ["docs/decisions/0001-everything-from-npm.md", "decisions/0001-everything-from-npm.md"],
  ["packages/jobs/README.md", "packages/jobs.md"],
  ["tools/agent/README.md", "guides/agent.md"],
  ["CONTRIBUTING.md", "project/contributing.md"],
  ["tests/README.md", undefined],
])("the site shows %s as %s", (file, shown) => {
  expect(siteFile(file)).toBe(shown);
});

test.each([
  ["../examples/README.md", "/guides/examples.md"],
  ["quickstart/slack.md#2-copy-two-tokens", "/start/slack.md#2-copy-two-tokens"],
  ["#errors", "#errors"],
  ["https://a2a-protocol.org", "https://a2a-protocol.org"],
  ["../schemas/errors.json", undefined],
  ["no-such-page.md", "/docs/no-such-page.md"],
])("a link of a page to %s is %s on the site", (href, link) => {
  expect(siteLink(href, resolve(root, "docs/agents.md"))).toBe(link);
});

test("a heading has the anchor that GitHub gives it", () => {
  expect(slugOf("At 3 a.m.")).toBe("at-3-am");
  expect(slugOf("What is kept, and for how long")).toBe("what-is-kept-and-for-how-long");
});

test("Q7: each page is in exactly one menu, and decisions, benchmarks and tables are for contributors", () => {
  const ofMenus = Object.entries(menus).flatMap(([menu, groups]) =>
    Object.values(groups).flatMap((files) => files.map((file) => [file, menu] as const)),
  );
  const files = ["docs/**/*.md", "examples/**/*.md", "{apps,dev,packages,tools}/*/README.md", "kits/**/*.md"];
  const pages = globSync(files, { cwd: root, exclude: ["**/node_modules/**"] }).filter(
    (file) => siteFile(file) !== "index.md",
  );
  expect(pages.length).toBeGreaterThan(60);
  const times = (page: string) => ofMenus.filter(([file]) => file === page).length;
  expect(pages.filter((page) => times(page) !== 1)).toEqual([]);
  expect(nav.map(({ text }) => text)).toEqual(["Start", "Guides", "Operate", "Reference", "Project"]);
  const ofUsers = new Set(["Start", "Guides", "Operate", "Reference", "Types"]);
  const strays = ofMenus.filter(
    ([file, menu]) => ofUsers.has(menu) && /^docs\/(decisions\/|bench|tables|chaos|layout)|^(apps|dev)\//.test(file),
  );
  expect(strays).toEqual([]);
});

test("Q7: one sidebar serves the pages of a menu, and no two pages have one address", () => {
  expect(Object.keys(sidebar)).toEqual(Object.keys(menus).map((menu) => `/${menu.toLowerCase()}/`));
  const links = Object.entries(sidebar).flatMap(([address, groups]) =>
    groups.flatMap(({ items }) => items.map(({ link }) => [address, link] as const)),
  );
  expect(links.filter(([address, link]) => !link.startsWith(address))).toEqual([]);
  expect(new Set(links.map(([, link]) => link)).size).toBe(links.length);
});
