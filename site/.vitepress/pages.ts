import { existsSync, globSync } from "node:fs";
import { dirname, relative, resolve } from "node:path";

export const root: string = resolve(import.meta.dirname, "../..");

/** Returns the files of the repository at some paths or globs, in this order. */
const files = (...patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => globSync(pattern, { cwd: root }).toSorted());
const docs = (...names: readonly string[]): string[] => files(...names.map((name) => `docs/${name}.md`));
const docsIn = (folder: string, ...names: readonly string[]): string[] =>
  docs(...names.map((name) => `${folder}/${name}`));

/** The menus, each with the files of its groups. Every page of the site but the home page is in exactly one group. */
export const menus: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>> = {
  Start: {
    "First steps": docsIn("quickstart", "local", "slack", "model", "agent", "workflow", "mcp"),
    "Write an agent": docsIn("quickstart", "write-an-agent", "agent-dev"),
    Learn: docs("concepts", "comparison", "status", "platforms", "glossary"),
  },
  Guides: {
    Build: docs("models", "agents", "workflows", "schedules", "hooks", "approvals", "programs"),
    "Agent authors": docsIn("guides", "langgraph", "a2a-sdk", "fastapi", "express"),
    "Kits for agents": files("kits/README.md", "{kits/*,tools/agent}/README.md"),
    Examples: files("examples/README.md", "examples/{*,agents/*}/README.md"),
  },
  Operate: {
    Deploy: [...docsIn("quickstart", "docker", "kubernetes", "aws"), ...docs("openshift", "proxy", "runtimes", "bus")],
    "Day to day": docs("console", "operations", "troubleshooting", "tokens", "migrate-agents", "backup", "upgrade"),
    Trust: docs("security", "audit", "durability"),
  },
  Reference: {
    Operators: [
      ...docsIn("reference", "configuration", "configuration-*", "telemetry", "log-events", "log-events-*"),
      ...docs("limits"),
    ],
    "Command line": docsIn("reference", "commands", "commands-*"),
    "HTTP API": docsIn("reference", "api", "api/*"),
    "Zone link": [...docsIn("reference", "protocol", "protocol/*"), ...docs("zone-link")],
    Agents: [
      ...docsIn("reference", "agents", "a2a-wire", "a2a-wire-*", "conformance", "conformance-*", "works-with"),
      ...files("kits/API.md"),
      ...docsIn("reference", "workflow-steps"),
    ],
  },
  Types: { Types: docsIn("reference", "types/*") },
  Project: {
    Contribute: [
      ...files("{AGENTS,CHANGELOG,CODE_OF_CONDUCT,CONTRIBUTING,SECURITY,SUPPORT}.md"),
      ...docs("layout", "writing", "tables"),
    ],
    Benchmarks: docs("benchmarks", "chaos"),
  },
  Decisions: { Decisions: files("docs/decisions/*.md") },
  Packages: {
    Packages: files("{apps,dev,packages,tools}/*/README.md").filter((file) => file !== "tools/agent/README.md"),
  },
};

/** The first part of a page's address is its menu, so that one sidebar serves every page of a menu. */
export const addressOf = (menu: string): string => `/${menu.toLowerCase()}/`;

/** The menus of what only contributors read. */
export const forContributors = ["Project", "Decisions", "Packages"];

/** Returns whether a page at an address is for contributors only: it is in no search. */
export const isForContributors = (address = ""): boolean =>
  forContributors.some((menu) => address.startsWith(addressOf(menu).slice(1)));

const shownAt = new Map(
  Object.entries(menus).flatMap(([menu, groups]) =>
    Object.values(groups)
      .flat()
      .map((file) => [file, `${addressOf(menu).slice(1)}${nameOf(file)}`]),
  ),
);

function nameOf(file: string): string {
  return file
    .replace(/^docs\/((decisions|guides|quickstart|reference(\/types)?)\/)?/, "")
    .replace(/^(packages|tools)\//, "")
    .replace(/\/README\.md$/, ".md")
    .toLowerCase();
}

/** Returns where the site shows a file, undefined if it doesn't: `docs/agents.md` is `guides/agents.md`. */
export const siteFile = (file: string): string | undefined =>
  file === "docs/index.md" || file === "README.md" ? "index.md" : shownAt.get(file);

/**
 * Returns the address on the site for a link of a page, undefined for a link to a file that the site doesn't show. Links are relative to
 * the file in the repository, so that they work on GitHub too.
 */
export function siteLink(href: string, from: string): string | undefined {
  if (/^([a-z]+:|#|\/)/.test(href)) return href;
  const [path = "", hash] = href.split("#", 2);
  const target = relative(root, resolve(dirname(from), path));
  // A page that doesn't exist stays a link, so that the build fails.
  const shown = siteFile(target) ?? (existsSync(resolve(root, target)) || !target.endsWith(".md") ? undefined : target);
  return shown === undefined ? undefined : `/${shown}${hash === undefined ? "" : `#${hash}`}`;
}

/** The anchor of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
    .replaceAll(/\s/g, "-");
}
