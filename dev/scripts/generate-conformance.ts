/** Writes the tables of all checks into the pages docs/reference/conformance-checks*.md. Part of `pnpm generate`. */
import { checklist, type ChecklistItem, type ConformanceProtocol } from "../../tools/conformance/src/index.ts";
import { markdownTable, writeGeneratedParts } from "./generated-parts.ts";

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "\\<").replaceAll("{", "\\{");

/** The level as a link to the source; a dash where the protocol does not have the rule. */
function levelIn({ protocols }: ChecklistItem, protocol: ConformanceProtocol): string {
  const found = protocols.find((each) => each.protocol === protocol);
  return found === undefined ? "–" : `[${found.level}](${found.source})`;
}

const has = (item: ChecklistItem, protocol: ConformanceProtocol): boolean =>
  item.protocols.some((each) => each.protocol === protocol);

const a2a = checklist.filter((item) => !has(item, "simple-a2a"));
const simple = checklist.filter((item) => has(item, "simple-a2a"));
const count = (protocol: ConformanceProtocol): number => checklist.filter((item) => has(item, protocol)).length;

const tableOf = (items: readonly ChecklistItem[]): string =>
  markdownTable(
    ["Check", "1.0", "0.3", "Rule", "If it fails"],
    items.map((item) => [
      `\`${item.id}\``,
      levelIn(item, "a2a-1.0"),
      levelIn(item, "jsonrpc-2.0"),
      cell(item.rule),
      cell(item.fix),
    ]),
  );
// The first check of conversations: what comes before it is about single messages.
const ofTasks = a2a.findIndex(({ id }) => id === "context-made");

const script = "dev/scripts/generate-conformance.ts";
await writeGeneratedParts("reference/conformance-checks.md", {
  script,
  parts: {
    counts: `${checklist.length} checks: ${count("a2a-1.0")} of A2A 1.0, ${count("jsonrpc-2.0")} of A2A 0.3, ${count("simple-a2a")} of Simple A2A.`,
    messages: tableOf(a2a.slice(0, ofTasks)),
  },
});
await writeGeneratedParts("reference/conformance-checks-tasks.md", {
  script,
  parts: {
    tasks: tableOf(a2a.slice(ofTasks)),
    simple: markdownTable(
      ["Check", "Level", "Rule", "If it fails"],
      simple.map((item) => [`\`${item.id}\``, String(item.protocols[0]?.level), cell(item.rule), cell(item.fix)]),
    ),
  },
});
