import { existsSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

export const root: string = resolve(import.meta.dirname, "../..");

/** The pages of the site, as globs of the repository. */
export const pages: readonly string[] = [
  "docs/**/*.md",
  "examples/**/*.md",
  "{apps,dev,packages}/*/README.md",
  "kits/**/*.md",
  "{CONTRIBUTING,SECURITY}.md",
];

/** Returns where the site shows a file: `docs/agents.md` is `agents.md`, `packages/jobs/README.md` is `packages/jobs.md`. */
export function siteFile(file: string): string {
  if (file === "README.md") return "index.md";
  // In lower case it would be docs/security.md.
  if (file === "SECURITY.md") return "security-policy.md";
  return file
    .replace(/^docs\//, "")
    .replace(/\/README\.md$/, ".md")
    .toLowerCase();
}

const isPage = (file: string): boolean =>
  file.endsWith(".md") && (/^(docs|examples|apps|packages|kits)\//.test(file) || !file.includes("/"));

/**
 * Returns the address on the site for a link of a page, undefined for a link to a file that the site doesn't show. Links are relative to
 * the file in the repository, so that they work on GitHub too.
 */
export function siteLink(href: string, from: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", hash] = href.split("#", 2);
  const target = relative(root, resolve(dirname(from), path));
  if (!isPage(target)) return undefined;
  const exists = existsSync(resolve(root, target));
  return `/${exists ? siteFile(target) : target}${hash === undefined ? "" : `#${hash}`}`;
}

/** The anchor of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
