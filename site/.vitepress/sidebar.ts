import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { root, siteFile } from "./pages.ts";

interface Item {
  readonly text: string;
  readonly link: string;
}

interface Group {
  readonly text: string;
  readonly items: readonly Item[];
}

/** Returns a page of the repository as an item, named by its first heading. */
function itemOf(file: string): Item {
  const heading = /^# (.*)$/m.exec(readFileSync(resolve(root, file), "utf8"))?.[1] ?? file;
  return { text: heading.replaceAll("`", ""), link: `/${siteFile(file).replace(/\.md$/, "")}` };
}

const docs = (...names: readonly string[]): Item[] => names.map((name) => itemOf(`docs/${name}.md`));
const docsIn = (folder: string, ...names: readonly string[]): Item[] =>
  docs(...names.map((name) => `${folder}/${name}`));
const all = (pattern: string): Item[] => globSync(pattern, { cwd: root }).toSorted().map(itemOf);

/** The four menus, each with the groups of its sidebar. Every page of the site is in exactly one group. */
export const menus: readonly { readonly text: string; readonly groups: readonly Group[] }[] = [
  {
    text: "Start",
    groups: [
      { text: "First steps", items: docsIn("quickstart", "local", "slack", "model", "agent", "workflow", "mcp") },
      { text: "Write an agent", items: docsIn("quickstart", "write-an-agent", "agent-dev") },
      { text: "Deploy", items: docsIn("quickstart", "docker", "kubernetes", "aws") },
      { text: "Learn", items: docs("concepts", "comparison", "glossary") },
    ],
  },
  {
    text: "Guides",
    groups: [
      { text: "Build", items: docs("models", "agents", "workflows", "approvals") },
      {
        text: "Agent authors",
        items: docsIn("guides", "langgraph", "a2a-sdk", "fastapi", "express"),
      },
      { text: "Operate", items: docs("operations", "migrate-agents", "runtimes", "bus", "upgrade") },
      { text: "Trust", items: docs("security", "durability") },
      { text: "Kits for agents", items: ["kits/README.md", "{kits/*,packages/agent}/README.md"].flatMap(all) },
      {
        text: "Examples",

        items: ["examples/README.md", "examples/{*,agents/*}/README.md"].flatMap(all),
      },
    ],
  },
  {
    text: "Reference",
    groups: [
      {
        text: "Operators",
        items: [...docsIn("reference", "configuration", "telemetry"), ...docs("limits", "troubleshooting")],
      },
      { text: "HTTP", items: [...docsIn("reference", "api", "protocol"), ...docs("zone-link")] },
      {
        text: "Agents",
        items: [...docsIn("reference", "agents", "a2a-wire", "conformance", "works-with"), itemOf("kits/API.md")],
      },
    ],
  },
  {
    text: "Project",
    groups: [
      { text: "Contribute", items: [...all("{CONTRIBUTING,SECURITY}.md"), ...docs("layout", "writing", "tables")] },
      {
        text: "Benchmarks",
        items: docs("benchmarks", "chaos"),
      },
      { text: "Decisions", items: all("docs/decisions/*.md") },
      {
        text: "Packages",

        items: all("{apps,dev,packages}/*/README.md").filter(({ link }) => link !== "/packages/agent"),
      },
    ],
  },
];

const linksOf = (groups: readonly Group[]): string[] => groups.flatMap(({ items }) => items.map(({ link }) => link));

/** The menus of the top bar. Each opens its first page, and is marked while one of its pages is open. */
export const nav: { text: string; link: string; activeMatch: string }[] = menus.map(({ text, groups }) => {
  const [link = "/", ...rest] = linksOf(groups);
  return { text, link, activeMatch: `^(${[link, ...rest].join("|")})$` };
});

/** The sidebar of each page. The longest link comes first, since VitePress takes the first one that the page's path starts with. */
export const sidebar: Record<string, Group[]> = Object.fromEntries(
  menus
    .flatMap(({ groups }) => linksOf(groups).map((link) => [link, groups as Group[]] as const))
    .toSorted(([one], [other]) => other.length - one.length),
);
