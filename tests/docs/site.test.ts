import { globSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { menus, root, sidebar, siteFile, siteLink, slugOf } from "./site-pages.ts";

test.each([
  ["docs/agents.md", "agents.md"],
  ["docs/quickstart/slack.md", "quickstart/slack.md"],
  ["packages/jobs/README.md", "packages/jobs.md"],
  ["CONTRIBUTING.md", "contributing.md"],
  ["SECURITY.md", "security-policy.md"],
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

test("each page is in exactly one of the four menus, and decisions, benchmarks and tables are under Project", () => {
  const menuOf = menus.flatMap(({ text, groups }) =>
    groups.flatMap(({ items }) => items.map(({ link }) => [link, text] as const)),
  );
  const pages = globSync("docs/**/*.md", { cwd: root }).map((file) => `/${siteFile(file).replace(/\.md$/, "")}`);
  const times = (page: string) => menuOf.filter(([link]) => link === page).length;
  expect(pages.filter((page) => times(page) !== (page === "/index" ? 0 : 1))).toEqual([]);
  expect(menus.map(({ text }) => text)).toEqual(["Start", "Guides", "Reference", "Project"]);
  const project = new Set(menuOf.filter(([, text]) => text === "Project").map(([link]) => link));
  expect(pages.filter((page) => /^\/(decisions\/|bench|tables|load|chaos)/.test(page) && !project.has(page))).toEqual(
    [],
  );
});

test("a page whose path begins like another page's has its own sidebar", () => {
  // VitePress takes the first entry that the path starts with, so that /packages/agent must not catch /packages/agent-bridge.
  const shown = (path: string) => Object.entries(sidebar).find(([link]) => path.startsWith(link))?.[1];
  expect(shown("/packages/agent-bridge")).toBe(sidebar["/packages/agent-bridge"]);
  expect(shown("/packages/agent")).not.toEqual(shown("/packages/agent-bridge"));
});
