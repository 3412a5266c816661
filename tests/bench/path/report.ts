import { markdownTable } from "../markdown-table.ts";
import { commitBefore, isDurable, type PartSize, type Size } from "./code-size.ts";
import type { FileOnWay } from "./code-way.ts";
import type { PathFigures } from "./measure.ts";
import type { SqlStep, SqlWay } from "./sql-way.ts";
import { zones } from "./start-system.ts";
import { filesOf, sum, summarise } from "./summary.ts";

const engineNames = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;
/** Of a statement, so many characters are shown. */
const mostShown = 150;

/** Writes the figures as Markdown. */
export function renderPath(figures: PathFigures): string {
  const { engine, answeredInMs, zones: ways, code } = figures;
  const { files, lines, borders, writes, tables, durableFiles, durableBorders } = summarise(figures);
  const parts = [
    `# The way of one question, ${engineNames[engine]}`,
    `${files} files, ${lines} lines, ${borders} folder borders; of queue, bus and worker code alone ${durableFiles} files, ${durableBorders} borders. ${writes} writes in ${tables} tables. Answered in ${answeredInMs.map((ms) => ms.toFixed(0)).join(", ")} ms.`,
    `## Code that ran\n\n${codeTable(figures)}`,
    `## SQL\n\n${sqlTable(figures)}`,
    ...zones.map((zone) => `## Statements of ${zone}\n\n${statementList(ways[zone].sql)}`),
    `## Folder borders\n\n${figures.borders.map(([caller, callee]) => `- ${caller} → ${callee}`).join("\n")}`,
    `## Queue, bus and worker code\n\n${sizeTable(code)}`,
  ];
  return `${parts.join("\n\n")}\n`;
}

function codeTable({ zones: ways }: PathFigures): string {
  const row = (title: string, files: readonly FileOnWay[]): string[] => [
    title,
    String(files.length),
    String(sum(files.map(({ ran }) => ran))),
    String(sum(files.map(({ lines }) => lines))),
  ];
  const rows = zones.flatMap((zone) => {
    const { files } = ways[zone];
    const byPackage = Map.groupBy(files, ({ path }) => path.split("/").slice(0, 2).join("/"));
    const ownFirst = [...byPackage].toSorted(([, a], [, b]) => b.length - a.length);
    return [row(`**${zone}**`, files), ...ownFirst.map(([name, own]) => row(`- ${name}`, own))];
  });
  const both = filesOf(ways, zones);
  const durable = both.filter(({ path }) => isDurable(path));
  const lastRows = [row("**both**", both), row("- queue, bus and worker code", durable)];
  return markdownTable(["", "files", "lines", "whole"], [...rows, ...lastRows]);
}

function sqlTable({ engine, zones: ways }: PathFigures): string {
  const trips = engine === "sqlite" ? "statements" : "round trips";
  const rows = zones.map((zone) => {
    const { sql } = ways[zone];
    return [
      zone,
      String(sql.writes),
      String(sql.tables.length),
      String(sql.trips),
      String(sql.commits),
      sql.tables.join(", "),
    ];
  });
  return markdownTable(["", "writes", "tables", trips, "commits", "written"], rows);
}

function statementList({ steps, apart }: SqlWay): string {
  const shown = (text: string): string => (text.length > mostShown ? `${text.slice(0, mostShown)} …` : text);
  const list = steps.map(
    (step, index) => `${String(index + 1).padStart(2)}  ${effectOf(step).padEnd(34)} ${shown(step.text)}`,
  );
  const idle = apart.map(({ text, times }) => `${times} ×  ${shown(text)}`);
  return ["```", ...list, "```", "", "Apart, as in an idle zone:", "", "```", ...idle, "```"].join("\n");
}

function effectOf({ text, rows, writes, pipelined }: SqlStep): string {
  const sent = pipelined ? "+ " : "";
  if (writes.length === 0) return `${sent}${/^(begin|commit|rollback)/i.test(text) ? "" : `reads ${rows}`}`;
  return `${sent}${writes.map(({ verb, table }) => `${verb} ${table}`).join(", ")}: ${rows}`;
}

/** The size of each part of the code, at the commit before and now. */
export function sizeTable(code: readonly PartSize[]): string {
  const cells = ({ files, lines }: Size): string[] => [String(files), String(lines)];
  const total = (sizes: readonly (Size | undefined)[]): Size | undefined =>
    sizes.every((size) => size !== undefined)
      ? { files: sum(sizes.map(({ files }) => files)), lines: sum(sizes.map(({ lines }) => lines)) }
      : undefined;
  const row = (title: string, before: Size | undefined, now: Size | undefined): string[] => [
    title,
    ...(before ? cells(before) : ["?", "?"]),
    ...(now ? cells(now) : ["?", "?"]),
  ];
  const totalOf = (title: string, of: readonly PartSize[]): string[] =>
    row(title, total(of.map(({ before }) => before)), total(of.map(({ now }) => now)));
  const rows = [
    ...code.map(({ part, before, now }) => row(part, before, now)),
    totalOf("**all**", code),
    totalOf(
      "**all, without Kafka**",
      code.filter(({ part }) => part !== "Kafka"),
    ),
  ];
  return markdownTable(["", `files at ${commitBefore}`, "lines", "files now", "lines now"], rows);
}
