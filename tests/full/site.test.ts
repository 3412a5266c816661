// inputs: docs/** site/** README.md dev/scripts/docs.ts
import { execFile } from "node:child_process";
import { existsSync, globSync, mkdtempSync, readFileSync, realpathSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { extname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { seriousProblems, artifact, useBrowser } from "./use-browser.ts";

const open = useBrowser({ expectsRefusals: true });
const root = resolve(import.meta.dirname, "../..");
const dist = mkdtempSync(join(tmpdir(), "crosszone-site-"));
const types = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".svg": "image/svg+xml" };

/** Serves the site as a host of static pages does: without `.html` in addresses, and with the page for wrong ones. */
const server = createServer((request, response) => {
  const path = join(dist, new URL(request.url ?? "", "http://site").pathname);
  const file = [path, `${path}.html`, join(path, "index.html")].find(
    (each) => existsSync(each) && statSync(each).isFile(),
  );
  const shown = file ?? join(dist, "404.html");
  response.writeHead(file === undefined ? 404 : 200, { "content-type": types[extname(shown) as ".js"] ?? "" });
  response.end(readFileSync(shown));
});

beforeAll(async () => {
  const build = [resolve(root, "dev/scripts/docs.ts"), "build", "--outDir", dist];
  await promisify(execFile)(process.execPath, build, { cwd: root, maxBuffer: 1e8 });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
}, 300_000);
afterAll(() => {
  server.close();
  rmSync(dist, { recursive: true });
});

const filesOf = (pattern: string): string[] => globSync(pattern, { cwd: dist });
const sizeOf = (file: string): number => statSync(join(dist, file)).size;
const textOf = (file: string): string => readFileSync(join(dist, file), "utf8");
const urlOf = (path: string): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`;

describe("size", () => {
  test("Q7: each page is at most 60 KB, all without pictures at most 8 MB", () => {
    const pages = filesOf("**/*.html");
    expect(pages.length).toBeGreaterThan(130);
    expect(pages.filter((page) => sizeOf(page) > 60_000).map((page) => [page, sizeOf(page)])).toEqual([]);
    const all = filesOf("**/*.*").filter((file) => !/\.(png|svg|jpg|gif)$/.test(file));
    expect(all.reduce((sum, file) => sum + sizeOf(file), 0)).toBeLessThan(8_000_000);
  });

  test("Q7: scripts and styles that pages share are at most 250 KB compressed, with the index of the search", () => {
    const shared = [...filesOf("assets/chunks/*.js"), ...filesOf("assets/{app,style}.*"), "vp-icons.css"];
    expect(shared.some((file) => file.includes("localSearchIndex"))).toBe(true);
    expect(shared.reduce((sum, file) => sum + gzipSync(textOf(file)).length, 0)).toBeLessThan(250_000);
  });
});

interface Search {
  readonly options: { readonly miniSearch: { readonly options: object; readonly searchOptions: object } };
}

/** Returns the search as the browser makes it: from the site's own index, with its own options. */
async function openSearch(): Promise<(query: string) => string[]> {
  const vitepress = realpathSync(resolve(root, "site/node_modules/vitepress"));
  // Modules of the site, and what is installed for it alone.
  const { search } = (await import(resolve(root, "site/.vitepress/search.ts"))) as { search: Search };
  const [indexFile = ""] = filesOf("assets/chunks/@localSearchIndexroot*.js");
  const index = (await import(join(dist, indexFile))) as { default: string };
  const path = import.meta.resolve("minisearch", `file://${vitepress}/`);
  const { default: MiniSearch } = (await import(path)) as {
    default: { loadJSON: (json: string, options: object) => { search: (query: string) => { readonly id: string }[] } };
  };
  const { options, searchOptions } = search.options.miniSearch;
  const loaded = MiniSearch.loadJSON(index.default, { storeFields: ["title", "titles"], searchOptions, ...options });
  return (query) => loaded.search(query).map(({ id }) => id);
}

const questions: readonly (readonly [question: string, page: string])[] = [
  ["human in the loop", "/guides/approvals"],
  ["approve", "/guides/approvals"],
  ["SSO", "/guides/programs"],
  ["audit", "/operate/audit"],
  ["a person must confirm before an agent acts", "/guides/approvals"],
  ["how do I rotate a leaked token", "/operate/tokens"],
  ["who did what", "/operate/audit"],
  ["limit what models cost", "/guides/models"],
  ["run on kubernetes", "/operate/kubernetes"],
  ["a report every morning", "/guides/schedules"],
  ["cron", "/guides/schedules"],
  ["GitHub webhook", "/guides/hooks"],
  ["messages missed while it was down", "/operate/durability"],
  ["upgrade without downtime", "/operate/upgrade"],
  ["how long is data kept", "/operate/durability"],
  ["only some people may use an agent", "/operate/operations"],
  ["slack message got no answer", "/operate/troubleshooting"],
  ["is it safe against prompt injection", "/operate/security"],
  ["environment variables", "/reference/configuration"],
  ["write an agent in python", "/start/write-an-agent"],
  ["test my agent without slack", "/start/agent-dev"],
  ["connect an existing A2A agent", "/start/agent"],
  ["does my agent comply", "/reference/conformance"],
  ["ask from claude or cursor", "/guides/programs"],
  ["retry a failed run", "/guides/workflows"],
  ["restore a backup", "/operate/backup"],
  ["our network needs a proxy", "/operate/proxy"],
  ["install on openshift", "/operate/openshift"],
  ["does it run on windows", "/start/platforms"],
  ["SSO login", "/operate/tokens"],
  ["roles permissions", "/operate/tokens"],
  ["agent times out", "/guides/agents"],
  ["agent times out", "/operate/troubleshooting"],
  ["audit export", "/operate/audit"],
  ["upgrade", "/operate/upgrade"],
];

describe("search", () => {
  test.each(questions)("Q37: “%s” finds %s among the first three", async (question, page) => {
    const found = (await openSearch())(question).slice(0, 3);
    expect(found.map((id) => id.replace(/#.*/, ""))).toContain(page);
  });

  test("Q7: what only contributors read is not found", async () => {
    const find = await openSearch();
    const found = ["decision", "benchmark", "chaos", "tables", "package", "contributing"].flatMap(find);
    expect(found.length).toBeGreaterThan(20);
    expect(found.filter((id) => /^\/(project|decisions|packages)\//.test(id))).toEqual([]);
  });

  test("the browser finds it, with the same options", async () => {
    const page = await open(urlOf("/"));
    const box = page.getByRole("searchbox");
    // Keys do nothing until the page's scripts have run.
    await expect.poll(() => page.keyboard.press("Control+k").then(() => box.isVisible())).toBe(true);
    await box.fill("human in the loop");
    await page.locator(".result").first().waitFor();
    const links = await page
      .locator(".result")
      .evaluateAll((all) => all.slice(0, 3).map((one) => one.getAttribute("href")));
    expect(links.map((link) => link?.replace(/#.*/, ""))).toContain("/guides/approvals");
  });
});

describe("for programs", () => {
  test("Q7: each page is Markdown beside its HTML with links of the site, and llms.txt links to all of them", () => {
    const pages = filesOf("**/*.html").filter((file) => !/^(404|index)\.html$/.test(file));
    const listed = [...textOf("llms.txt").matchAll(/^- \[.+\]\(\/(.+)\)$/gm)].map(([, file = ""]) => file);
    expect(listed.toSorted()).toEqual(pages.map((file) => file.replace(/html$/, "md")).toSorted());
    expect(textOf("llms.txt")).toMatch(/^# Crosszone\n\n> \S[^]*\n## Optional\n/);
    expect(textOf("guides/approvals.md")).toMatch(/^# Approvals\n/);
    const links = filesOf("**/*.md").flatMap((file) =>
      [...textOf(file).matchAll(/\]\(\/([^)#\s]+\.md)/g)].map(([, target = ""]) => [file, target] as const),
    );
    expect(links.length).toBeGreaterThan(500);
    expect(links.filter(([, target]) => !existsSync(join(dist, target)))).toEqual([]);
  });
});

test("Q36: each page has a description, an address and a picture of its own for previews of links", () => {
  const pages = filesOf("**/*.html").filter((file) => file !== "404.html");
  const all = pages.map((file): Readonly<Record<string, string>> => {
    const found = textOf(file).matchAll(/<meta (?:name|property)="([\w:]+)" content="([^"]*)">/g);
    return { file, ...Object.fromEntries([...found].map(([, name = "", text = ""]) => [name, text])) };
  });
  const descriptions = all.map((page) => page["og:description"] ?? "");
  expect(new Set(descriptions).size).toBe(pages.length);
  expect(descriptions.filter((text) => text.length < 20 || text.length > 200 || /[`*|]|\]\(|^#/.test(text))).toEqual(
    [],
  );
  const image = "https://crosszone.dev/film.png";
  for (const { file = "", ...page } of all)
    expect(page).toMatchObject({
      "og:url": `https://crosszone.dev/${file.replace(/(^|\/)index\.html$|\.html$/, "")}`,
      "og:title": expect.stringMatching(/\w/),
      "og:image": image,
    });
  expect(existsSync(join(dist, "film.png"))).toBe(true);
});

test("Q36: links and buttons have the color of the console, in both themes", () => {
  const theme = readFileSync(resolve(root, "packages/console/src/browser/styles/theme.css"), "utf8");
  const [, ...accents] = /--accent: light-dark\((#\w+), (#\w+)\)/.exec(theme) ?? [];
  const own = [...textOf(filesOf("assets/style.*.css")[0] ?? "").matchAll(/--vp-c-brand-1: ?(#\w+)/g)].map(
    ([, color]) => color,
  );
  expect(own).toEqual(accents);
});

const looked = [
  "/",
  "/start/local",
  "/guides/agents",
  "/guides/approvals",
  "/operate/operations",
  "/operate/security",
  "/reference/configuration",
  "/reference/commands",
  "/reference/commands-agents",
  "/reference/api/agents",
  "/types/agents",
  "/no-such-page",
];

describe("pages", () => {
  const sizes = { desktop: { width: 1280, height: 900 }, phone: { width: 390, height: 844 } };

  test.each(looked)("Q7: %s has no serious problem of accessibility, and fits a phone", async (path) => {
    for (const [name, size] of Object.entries(sizes)) {
      const page = await open(urlOf(path), size);
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
        await page.screenshot({ path: artifact(`site${path.replaceAll("/", "-")}-${name}-${colorScheme}.png`) });
        expect([name, colorScheme, await seriousProblems(page)]).toEqual([name, colorScheme, []]);
      }
      expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth")).toBeLessThanOrEqual(0);
    }
  });

  test("Q7: the headline of the home page is above its tagline, both in the middle", async () => {
    const page = await open(urlOf("/"));
    const middles = await page.evaluate<number[]>(`[".name", ".text", ".tagline", ".actions"].map((part) => {
      const range = document.createRange();
      range.selectNodeContents(document.querySelector(".VPHero " + part));
      const { left, right } = range.getBoundingClientRect();
      return (left + right) / 2;
    })`);
    expect(middles).toHaveLength(4);
    for (const middle of middles) expect(Math.abs(middle - 640)).toBeLessThan(12);
  });

  test("a wrong address offers the search and the menus; a page has links to edit it and to the repository", async () => {
    const lost = await open(urlOf("/no-such-page"));
    await lost.getByRole("heading", { name: "Page not found" }).waitFor();
    const links = await lost.locator("main a").evaluateAll((all) => all.map((one) => one.getAttribute("href") ?? ""));
    expect(links.length).toBeGreaterThan(4);
    for (const link of links) expect((await fetch(urlOf(link))).status).toBe(200);
    await lost
      .locator("main")
      .getByRole("button", { name: /Search/ })
      .click();
    await lost.getByRole("searchbox").waitFor();
    const html = textOf("guides/agents.html");
    expect(html).toContain('href="https://github.com/crosszone/crosszone/edit/main/docs/agents.md"');
    expect(html).toContain('href="https://github.com/crosszone/crosszone"');
    expect(textOf("reference/api.html")).not.toContain("/edit/main/");
  });

  test("each link of a page leads to one, to a heading that it has", () => {
    const pages = filesOf("**/*.html");
    const links = pages.flatMap((file) =>
      [...textOf(file).matchAll(/<a [^>]*href="(\/[^"#]*)?(?:#([^"]*))?"/g)].map(([, path, hash]) => ({
        file,
        path,
        hash,
      })),
    );
    expect(links.length).toBeGreaterThan(3_000);
    const broken = links.filter(({ file, path, hash }) => {
      const target = path === undefined ? file : path === "/" ? "index.html" : `${path.slice(1)}.html`;
      if (!existsSync(join(dist, target))) return true;
      return hash !== undefined && hash !== "VPContent" && !textOf(target).includes(`id="${hash}"`);
    });
    expect(broken).toEqual([]);
  });
});
