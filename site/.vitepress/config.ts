import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { defineConfig, type MarkdownRenderer, type UserConfig } from "vitepress";
import { root, siteFile, siteLink, slugOf } from "./pages.ts";
import { nav, sidebar } from "./sidebar.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];
type Plugin = NonNullable<NonNullable<UserConfig["vite"]>["plugins"]>[number] & { name: string };

/** Pages are outside this folder, from where Vue would not be found. */
const vueOfTheSite: Plugin = {
  name: "vue-of-the-site",
  enforce: "pre",
  resolveId(id, _importer, { ssr }) {
    if (!/^vue(\/|$)/.test(id)) return undefined;
    return ssr ? { id, external: true } : this.resolve(id, import.meta.filename, { skipSelf: true });
  },
};

/** Points links to pages of the site. The name of a file that the site doesn't show stays as text. */
function linkToPages(tokens: readonly Token[], file: string): void {
  let plain = false;
  for (const token of tokens) {
    if (token.type === "link_open") {
      const link = siteLink(token.attrGet("href") ?? "", file);
      plain = link === undefined;
      if (link !== undefined) token.attrSet("href", link);
      else token.attrs = [["title", "A file of the repository"]];
    }
    if (plain && token.type.startsWith("link_")) token.tag = "span";
  }
}

/** Pages whose tables need the room of the outline. */
const withWideTables = new Set([
  "tables.md",
  "troubleshooting.md",
  "reference/configuration.md",
  "reference/conformance.md",
  "reference/works-with.md",
]);

/** The top of the home page. The text below it is `docs/index.md`, which has no front matter, so that it reads well on GitHub too. */
const home = {
  layout: "home",
  hero: {
    name: "Crosszone",
    text: "AI agents in Slack, behind a hard wall",
    tagline:
      "People ask in Slack. Agents answer in the thread. Your Slack credentials never reach the code that runs the agents.",
    actions: [
      { theme: "brand", text: "Get started", link: "/quickstart/local" },
      { theme: "alt", text: "Connect Slack", link: "/quickstart/slack" },
      { theme: "alt", text: "How it works", link: "/concepts" },
    ],
  },
};

/** The icon of the app in the local Slack. */
const icon = `data:image/svg+xml;base64,${readFileSync(resolve(root, "dev/slack/src/page/crosszone.svg")).toString("base64")}`;

/** The documentation as a site: `pnpm run docs` builds it, a link that leads nowhere fails the build. */
export default defineConfig({
  title: "Crosszone",
  description: "Talk to AI agents from Slack, with a hard wall between Slack and the agents",
  lang: "en",
  cleanUrls: true,
  srcDir: root,
  srcExclude: ["README.md", "**/CHANGELOG.md", "{.changeset,.github,deploy,schemas,scripts,site,tests}/**"],
  rewrites: siteFile,
  markdown: {
    // Words such as <host> are words and no tags; comments at the start of a line are taken away.
    html: false,
    languageAlias: { env: "ini" },
    anchor: { slugify: slugOf },
    config: (md) => {
      // Two braces in a page are two braces, not an expression of Vue.
      for (const rule of ["text", "code_inline"] as const) {
        const render = md.renderer.rules[rule];
        md.renderer.rules[rule] = (...args) => render?.(...args).replaceAll("{{", "&#123;&#123;") ?? "";
      }
      md.core.ruler.before("normalize", "comments", (state) => {
        state.src = state.src.replaceAll(/^<!--[^]*?-->$/gm, "");
      });
      md.core.ruler.push("site-links", ({ tokens, env }) => {
        const { realPath } = env as { realPath?: string };
        // Without a path, the text is read for the search: links don't matter there.
        if (realPath !== undefined) for (const { children } of tokens) linkToPages(children ?? [], realPath);
      });
    },
  },
  vite: { plugins: [vueOfTheSite] },
  head: [["link", { rel: "icon", href: icon, type: "image/svg+xml" }]],
  transformPageData: ({ relativePath, frontmatter }) => {
    if (relativePath === "index.md") return { frontmatter: { ...frontmatter, ...home } };
    return withWideTables.has(relativePath) ? { frontmatter: { ...frontmatter, aside: false } } : undefined;
  },
  themeConfig: {
    logo: icon,
    search: { provider: "local" },
    outline: [2, 3],
    nav,
    sidebar,
    footer: { message: "Apache-2.0" },
  },
});
