/** Writes the table of docs/reference/works-with.md, from what the tests of `tests/external` noted. Part of `pnpm generate`. */
import { readWorksWith, type WorksWith } from "../../tests/external/works-with.ts";
import { markdownTable, writeGeneratedParts } from "./generated-parts.ts";

const titles: Readonly<Record<WorksWith["as"], string>> = {
  agent: "Agents",
  framework: "Agent frameworks",
  "A2A client": "Clients of A2A",
  "MCP client": "Clients of MCP",
  "MCP server": "Servers of MCP",
  suite: "Official suites",
};

/** Software that users have asked for and no test runs, with the reason. */
const notTried: readonly (Pick<WorksWith, "name" | "as"> & { readonly why: string })[] = [
  { name: "A2A SDK for .NET", as: "agent", why: "Its packages are on NuGet, which the tests don't reach." },
  { name: "Claude Code", as: "MCP client", why: "It needs an account." },
  { name: "Cursor", as: "MCP client", why: "It needs a desktop and an account." },
  { name: "VS Code", as: "MCP client", why: "It needs a desktop and an account." },
];

function rowsOf(kind: WorksWith["as"]): string[][] {
  const tried = readWorksWith().filter(({ as }) => as === kind);
  const rows = tried.map(({ name, version, passed, of, note = "" }) => [name, version, `${passed} of ${of}`, note]);
  const left = notTried.filter(({ as }) => as === kind);
  return [...rows, ...left.map(({ name, why }) => [name, "", "not tried", why])];
}

const kinds = (Object.keys(titles) as WorksWith["as"][]).filter((kind) => rowsOf(kind).length > 0);
const head = ["Software", "Version", "Checks that pass", "Note"];
const tables = kinds.map((kind) => `## ${titles[kind]}\n\n${markdownTable(head, rowsOf(kind))}`).join("\n\n");

await writeGeneratedParts("reference/works-with.md", {
  script: "dev/scripts/generate-works-with.ts",
  parts: { tables },
});
