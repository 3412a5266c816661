import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { forContributors, menus, root, siteFile, siteLink } from "./pages.ts";
import { itemOf } from "./sidebar.ts";

/**
 * Writes each page as Markdown beside its HTML, with links to pages of the site, and llms.txt, the list of them.
 * https://llmstxt.org
 */
export function writeMarkdown(pages: readonly string[], outDir: string): void {
  for (const file of pages) {
    const path = resolve(root, file);
    const to = resolve(outDir, siteFile(file) ?? file);
    mkdirSync(dirname(to), { recursive: true });
    writeFileSync(to, withSiteLinks(readFileSync(path, "utf8"), path));
  }
  writeFileSync(resolve(outDir, "llms.txt"), listOfPages());
}

function withSiteLinks(text: string, path: string): string {
  const linked = text.replaceAll(
    /(?<!!)\]\(([^)\s]+)\)/g,
    (link, href: string) => `](${siteLink(href, path) ?? href})`,
  );
  // Tables are padded for people that read them as text.
  return linked.replaceAll(/^\|.*\|$/gm, (row) => row.replaceAll(/ {2,}\|/g, " |").replaceAll(/-{4,}/g, "---"));
}

/** The part of an llms.txt that a program with little room can skip. */
const optional = ["Types", ...forContributors];

function listOfPages(): string {
  const [title = "", summary = ""] = readFileSync(resolve(root, "docs/index.md"), "utf8").split("\n\n");
  const linesOf = (menu: string): string[] =>
    Object.values(menus[menu] ?? {})
      .flat()
      .map(itemOf)
      .map(({ text, link }) => `- [${text}](${link}.md)`);
  const sections = Object.keys(menus)
    .filter((menu) => !optional.includes(menu))
    .map((menu) => [`## ${menu}`, linesOf(menu).join("\n")]);
  return [title, `> ${summary}`, ...sections.flat(), "## Optional", optional.flatMap(linesOf).join("\n"), ""].join(
    "\n\n",
  );
}
