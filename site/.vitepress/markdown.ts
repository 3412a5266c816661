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
  // Comments and the padding of tables are for people that read the file.
  const told = linked.replaceAll(/^<!--[^]*?-->\n*/gm, "");
  return told.replaceAll(/^\|.*\|$/gm, (row) => row.replaceAll(/ {2,}\|/g, " |").replaceAll(/-{4,}/g, "---"));
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

/** Characters of a description, which search engines show. */
const longestDescription = 160;

/** Returns what a page says first after its heading, as plain text, as far as it fits. One that says nothing there is described by its headings. */
export function descriptionOf(text: string): string {
  const [, title = "", rest = ""] = /^# (.*)\n+([^]*)/m.exec(text) ?? [];
  const [first = ""] = rest
    .replaceAll(/<!--[^]*?-->|```[^]*?\n```/g, "")
    .split(/\n{2,}/)
    .filter((block) => !/^\s*(!\[|\||$)/.test(block));
  const headings = [...rest.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading).join(", ");
  const plain = (first.startsWith("#") ? headings : first)
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]|^[->] /gm, "")
    .replaceAll(/\s+/g, " ")
    .trim();
  const name = title.replaceAll("`", "");
  const said = plain.toLowerCase().includes(name.toLowerCase()) ? plain : `${name}: ${plain}`;
  if (said.length <= longestDescription) return said;
  const [sentences = ""] = new RegExp(`^.{60,${longestDescription - 1}}[.](?= )`).exec(said) ?? [];
  return sentences || `${said.slice(0, longestDescription - 1).replace(/\W*\s\S*$/, "")}…`;
}
