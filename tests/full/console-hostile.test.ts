// @module-tag judge
import { hostileAnswers, rawHostile } from "@crosszone/contracts/hostile";
import { startZone } from "@crosszone/execution/testing";
import { expect, test } from "vitest";
import { useBrowser } from "./use-browser.ts";

const open = useBrowser({ expectsRefusals: true });
const adminToken = "an-admin-token-of-at-least-32-letters";

const answers = [...hostileAnswers()].map(([template, body]) => {
  const path = new RegExp(`^/api/v1${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`);
  return { path, body };
});

/** Every list of the console, and the page of one of each. */
const pages = [
  "",
  "/runs",
  "/approvals",
  "/agents",
  "/usage",
  "/audit",
  "/dead-letters",
  "/bulk",
  "/runs/one",
  "/approvals/one",
  "/agents/one",
  "/bulk/one",
  "/messages/one",
];

/** What people read on a page. */
const seen = `[document.body.innerText, ...[...document.querySelectorAll("*")].flatMap((element) =>
  ["title", "aria-label", "placeholder"].map((name) => element.getAttribute(name) ?? ""))].join("\\n")`;

test("X34: what a stranger wrote into any member of any list turns no text of the console around", async () => {
  const zone = await startZone(undefined, { env: { ADMIN_TOKENS: adminToken } });
  const page = await open(`${zone.url}/console/runs#token=${adminToken}`);
  await page.getByRole("heading", { level: 1 }).waitFor();
  const read = new Set<string>();
  await page.route(/\/api\/v1\//, async (route) => {
    const { pathname } = new URL(route.request().url());
    const found = answers.find(({ path }) => path.test(pathname));
    if (/\/runs\/[^/]+\/events$/.test(pathname))
      return route.fulfill({ contentType: "text/event-stream", body: "retry: 60000\n\n" });
    if (!found) return route.continue();
    read.add(found.path.source);
    await route.fulfill({ json: found.body });
  });
  for (const one of pages) {
    await page.goto(`${zone.url}/console${one}`);
    await expect.poll(() => page.evaluate("document.body.innerText"), { timeout: 30_000 }).toContain("evil");
    await page.waitForLoadState("networkidle");
    const shown = String(await page.evaluate(seen));
    const raw = shown.split("\n").filter((line) => rawHostile.test(line));
    expect([one, raw]).toEqual([one, []]);
  }
  expect(read.size).toBeGreaterThan(12);
});
