import { copyFileSync, existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { defineConfig, type HeadConfig, type MarkdownRenderer, type UserConfig } from "vitepress";
import { descriptionOf, writeMarkdown } from "./markdown.ts";
import { root, siteFile, siteLink, slugOf } from "./pages.ts";
import { search } from "./search.ts";
import { nav, sidebar } from "./sidebar.ts";

type Token = ReturnType<MarkdownRenderer["parse"]>[number];
type MarkdownTransformer = NonNullable<NonNullable<UserConfig["markdown"]>["codeTransformers"]>[number];
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
    // The heading itself is before it.
    if (token.attrGet("class") === "header-anchor") token.attrSet("aria-label", "Permalink");
    else if (token.type === "link_open") {
      const link = siteLink(token.attrGet("href") ?? "", file);
      plain = link === undefined;
      if (link !== undefined) token.attrSet("href", link);
      else token.attrs = [["title", "A file of the repository"]];
    }
    if (plain && token.type.startsWith("link_")) token.tag = "span";
  }
}

/** The colors of words in code are classes, which `code.css` has: styles, also for the usual color, and a span for each line were half of a page. */
const classesOfColors: MarkdownTransformer = {
  pre(pre) {
    Object.assign(pre.properties, { class: undefined, style: undefined });
  },
  code(code) {
    const words = code.children.flatMap((line) => (line.type === "element" ? line.children : [line]));
    const colored = words.flatMap((word) => {
      if (word.type !== "element") return [word];
      const light = /color:#(\w+)/.exec(String(word.properties["style"]))?.[1]?.toLowerCase();
      if (light === "24292e") return word.children;
      return [light === undefined ? word : { ...word, properties: { class: `c-${light}` } }];
    });
    code.children = [];
    for (const word of colored) {
      const before = code.children.at(-1);
      const isAlike =
        before?.type === "element" &&
        word.type === "element" &&
        before.properties["class"] === word.properties["class"];
      if (isAlike) before.children.push(...word.children);
      else code.children.push(word);
    }
  },
};

/** Pages whose tables need the room of the outline. */
const withWideTables = new Set([
  "docs/tables.md",
  "docs/troubleshooting.md",
  "docs/reference/commands.md",
  "docs/reference/configuration.md",
  "docs/reference/configuration-execution.md",
  "docs/reference/configuration-verification.md",
  "docs/reference/conformance-checks.md",
  "docs/reference/conformance-checks-tasks.md",
  "docs/reference/log-events.md",
  "docs/reference/log-events-execution.md",
  "docs/reference/telemetry.md",
  "docs/reference/works-with.md",
]);

/** The top of the home page. The text below it is `docs/index.md`, which has no front matter, so that it reads well on GitHub too. */
const home = {
  layout: "home",
  hero: {
    name: "Crosszone",
    text: "AI agents in Slack, behind a hard wall",
    tagline:
      "People ask in Slack, agents answer in the thread, and risky actions wait for a person's approval. Your Slack credentials never reach the code that runs the agents.",
    actions: [
      { theme: "brand", text: "Get started", link: "/start/local" },
      { theme: "alt", text: "Connect Slack", link: "/start/slack" },
      { theme: "alt", text: "How it works", link: "/start/concepts" },
    ],
  },
};

const repository = "https://github.com/crosszone/crosszone";

/** Where the site is, for what needs whole addresses. */
const address = "https://crosszone.dev";

/** The moving picture of the home page begins with its result, which is what programs that show links take of it. */
const film = resolve(root, "docs/images/film.png");

/** Returns what programs that show a link read of a page. https://ogp.me */
const openGraph = (page: Readonly<Record<"title" | "description" | "url", string>>): HeadConfig[] =>
  Object.entries({ ...page, type: "website", site_name: "Crosszone", image: `${address}/film.png` }).map(
    ([property, content]) => ["meta", { property: `og:${property}`, content }],
  );

/** The icon of the app in the local Slack. As a file, since a page in itself would have all of it. */
const icon = resolve(root, "dev/slack/src/page/crosszone.svg");

/** Writes a schema for editors, at its $id, and those that it refers to. */
function writeSchema(file: string, outDir: string): void {
  const to = resolve(outDir, file);
  if (existsSync(to)) return;
  const text = readFileSync(resolve(root, file), "utf8");
  mkdirSync(dirname(to), { recursive: true });
  writeFileSync(to, JSON.stringify(JSON.parse(text)));
  for (const [, other = ""] of text.matchAll(/"\$ref": "([^"#]+)/g)) writeSchema(join(dirname(file), other), outDir);
}

/** The components of the theme, in the order in which they get their marks. */
const components: string[] = [];
const markOf = (name: string): string =>
  (components.includes(name) ? components.indexOf(name) : components.push(name) - 1).toString(36);

/** The documentation as a site: `pnpm run docs` builds it, a link that leads nowhere fails the build. */
export default defineConfig({
  title: "Crosszone",
  description: "Talk to AI agents from Slack, with a hard wall between Slack and the agents",
  lang: "en",
  cleanUrls: true,
  metaChunk: true,
  srcDir: root,
  // Every page is in a menu. What is in none is no page.
  srcExclude: globSync("**/*.md", { cwd: root, exclude: ["**/node_modules/**"] }).filter(
    (file) => file === "README.md" || siteFile(file) === undefined,
  ),
  rewrites: (file) => siteFile(file) ?? file,
  markdown: {
    theme: "github-light",
    codeTransformers: [classesOfColors],
    // Words such as <host> are words and no tags; comments at the start of a line are taken away.
    html: false,
    // And {name} in a heading is a part of a path.
    attrs: { disable: true },
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
        // As a class, since a page can have hundreds of cells.
        for (const token of tokens)
          if (token.attrGet("style") === "text-align:right") token.attrs = [["class", "right"]];
        // Without a path, the text is read for the search: links don't matter there.
        if (realPath !== undefined) for (const { children } of tokens) linkToPages(children ?? [], realPath);
      });
    },
  },
  vite: {
    plugins: [vueOfTheSite],
    resolve: {
      alias: [
        // The top bar has room for all that this menu of narrow windows repeats in each page.
        { find: /^.*\/VPNavBarExtra\.vue$/, replacement: resolve(import.meta.dirname, "theme/nothing.ts") },
        { find: /^.*\/VPSidebarItem\.vue$/, replacement: resolve(import.meta.dirname, "theme/sidebar-group.ts") },
      ],
    },
  },
  // Short marks of components: each page has hundreds. A page is a component itself, whose mark nothing shows.
  vue: {
    features: {
      componentIdGenerator: (path) => (path.endsWith(".md") ? path : markOf(basename(path))),
    },
  },
  buildEnd: ({ pages, outDir }) => {
    writeMarkdown(pages, outDir);
    copyFileSync(icon, resolve(outDir, "crosszone.svg"));
    copyFileSync(film, resolve(outDir, "film.png"));
    for (const file of ["settings/execution-settings", "settings/verification-settings", "workflow/definition"])
      writeSchema(`schemas/${file}.schema.json`, outDir);
  },
  head: [["link", { rel: "icon", href: "/crosszone.svg", type: "image/svg+xml" }]],
  transformPageData: ({ filePath, frontmatter }) => {
    const text = readFileSync(resolve(root, filePath), "utf8");
    const description = descriptionOf(text);
    if (filePath === "docs/index.md") return { description, frontmatter: { ...frontmatter, ...home } };
    const aside = !withWideTables.has(filePath);
    const isGenerated = /^<!-- Generated/m.test(text);
    return { description, frontmatter: { aside, editLink: !isGenerated, ...frontmatter } };
  },
  transformHtml: (html) => html.replace(/^ *<meta name="generator".*\n/m, "").replaceAll(/^ +(?=<)/gm, ""),
  transformHead: ({ page, title, description }) =>
    openGraph({ title, description, url: `${address}/${page.replace(/(^|(?<=\/))index\.md$|\.md$/, "")}` }),
  themeConfig: {
    search,
    outline: [2, 3],
    socialLinks: [{ icon: "github", link: repository, ariaLabel: "The repository on GitHub" }],
    editLink: { pattern: `${repository}/edit/main/:path`, text: "Edit this page" },
    nav,
    sidebar,
    footer: { message: "Apache-2.0" },
  },
});
