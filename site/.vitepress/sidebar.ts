import { globSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { root, siteFile } from "./pages.ts";

interface Item {
  readonly text: string;
  readonly link: string;
}

/** A page of the repository as an item, by its first heading. */
function itemOf(file: string): Item {
  const heading = /^# (.*)$/m.exec(readFileSync(resolve(root, file), "utf8"))?.[1] ?? file;
  return { text: heading.replaceAll("`", ""), link: `/${siteFile(file).replace(/\.md$/, "")}` };
}

const docs = (...names: readonly string[]): Item[] => names.map((name) => itemOf(`docs/${name}.md`));
const all = (pattern: string): Item[] => globSync(pattern, { cwd: root }).toSorted().map(itemOf);

/** Every page of the documentation, in the order in which a newcomer needs it. */
export const sidebar = [
  {
    text: "Quickstart",
    items: docs(
      ...["slack", "model", "agent", "write-an-agent", "agent-dev", "workflow", "docker", "kubernetes", "aws"].map(
        (name) => `quickstart/${name}`,
      ),
    ),
  },
  { text: "Learn", items: docs("index", "concepts", "tables", "glossary", "faq", "comparison") },
  { text: "Guides", items: docs("models", "agents", "workflows", "bus", "runtimes", "zone-link") },
  {
    text: "Agent authors",
    items: docs("migrate-agents", ...["langgraph", "a2a-sdk", "fastapi", "express"].map((name) => `guides/${name}`)),
  },
  {
    text: "Operate",
    items: docs("operations", "move-agents", "upgrade", "troubleshooting", "security", "limits", "durability"),
  },
  {
    text: "Reference",
    items: docs(
      "reference/configuration",
      "reference/api",
      "reference/protocol",
      "reference/agents",
      "reference/a2a-wire",
      "reference/conformance",
      "reference/telemetry",
    ),
  },
  {
    text: "Kits for agents",
    items: ["kits/README.md", "{kits/*,packages/agent}/README.md", "kits/API.md"].flatMap(all),
  },
  {
    text: "Examples",
    collapsed: true,
    items: all("examples/{*,agents/*}/README.md").concat(all("examples/README.md")),
  },
  {
    text: "Measurements",
    collapsed: true,
    items: docs(
      "benchmark",
      "load",
      "chaos",
      "bench-bridge",
      "bench-durable",
      "bench-engine",
      "bench-jobs",
      "bench-stream",
      "bench-workflow",
    ),
  },
  { text: "Decisions", collapsed: true, items: all("docs/decisions/*.md") },
  {
    text: "Contribute",
    collapsed: true,
    items: [
      ...docs("layout", "writing"),
      ...all("{CONTRIBUTING,SECURITY}.md"),
      ...all("{apps,dev,packages}/*/README.md"),
    ],
  },
];
