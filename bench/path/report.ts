import { page, section, table } from "../kit/markdown.ts";
import { sum } from "../kit/statistics.ts";
import { commitBefore, isDurable, type PartSize, type Size } from "./code-size.ts";
import type { FileOnWay } from "./code-way.ts";
import type { PathFigures } from "./measure.ts";
import type { SqlStep, SqlWay } from "./sql-way.ts";
import { zones } from "./start-system.ts";
import { filesOf, summarize } from "./summary.ts";

const engineNames = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;
/** The characters of a statement that are shown. */
const mostShown = 150;

/** Writes the figures as Markdown. */
export function renderPath(figures: PathFigures): string {
  const { engine, answeredInMs, zones: ways, code } = figures;
  const { files, lines, borders, writes, tables, durableFiles, durableBorders } = summarize(figures);
  return page([
    `# The way of one question, ${engineNames[engine]}`,
    `${files} files, ${lines} lines, ${borders} folder borders; of queue, bus and worker code alone ${durableFiles} files, ${durableBorders} borders. ${writes} writes in ${tables} tables. Answered in ${answeredInMs.map((ms) => ms.toFixed(0)).join(", ")} ms.`,
    section("Code that ran", codeTable(figures)),
    section("SQL", sqlTable(figures)),
    ...zones.map((zone) => section(`Statements of ${zone}`, statementList(ways[zone].sql))),
    `## Folder borders\n\n${figures.borders.map(([caller, callee]) => `- ${caller} → ${callee}`).join("\n")}`,
    section("Queue, bus and worker code", sizeTable(code)),
  ]);
}

function codeTable({ zones: ways }: PathFigures): string {
  const both = filesOf(ways, zones);
  const rows: readonly (readonly [title: string, files: readonly FileOnWay[]])[] = [
    ...zones.flatMap((zone) => {
      const { files } = ways[zone];
      const byPackage = Map.groupBy(files, ({ path }) => path.split("/").slice(0, 2).join("/"));
      const largestFirst = [...byPackage].toSorted(([, a], [, b]) => b.length - a.length);
      return [[`**${zone}**`, files] as const, ...largestFirst.map(([name, own]) => [`- ${name}`, own] as const)];
    }),
    ["**both**", both],
    ["- queue, bus and worker code", both.filter(({ path }) => isDurable(path))],
  ];
  return table(rows, [
    ["", ([title]) => title],
    ["files", ([, files]) => String(files.length)],
    ["lines", ([, files]) => String(sum(files.map(({ ran }) => ran)))],
    ["whole", ([, files]) => String(sum(files.map(({ lines }) => lines)))],
  ]);
}

const sqlTable = ({ engine, zones: ways }: PathFigures): string =>
  table(zones, [
    ["", (zone) => zone],
    ["writes", (zone) => String(ways[zone].sql.writes)],
    ["tables", (zone) => String(ways[zone].sql.tables.length)],
    [engine === "sqlite" ? "statements" : "round trips", (zone) => String(ways[zone].sql.trips)],
    ["commits", (zone) => String(ways[zone].sql.commits)],
    ["written", (zone) => ways[zone].sql.tables.join(", ")],
  ]);

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
  return `${sent}${writes.map((write) => `${write.verb} ${write.table}`).join(", ")}: ${rows}`;
}

/** The size of each part of the code, at the commit before and now. */
export function sizeTable(code: readonly PartSize[]): string {
  const total = (sizes: readonly (Size | undefined)[]): Size | undefined =>
    sizes.every((size) => size !== undefined)
      ? { files: sum(sizes.map(({ files }) => files)), lines: sum(sizes.map(({ lines }) => lines)) }
      : undefined;
  const totalOf = (part: string, of: readonly PartSize[]) => ({
    part,
    before: total(of.map(({ before }) => before)),
    now: total(of.map(({ now }) => now)),
  });
  const withoutKafka = code.filter(({ part }) => part !== "Kafka");
  const rows = [...code, totalOf("**all**", code), totalOf("**all, without Kafka**", withoutKafka)];
  const shown = (figure: number | undefined): string => (figure === undefined ? "?" : String(figure));
  return table(rows, [
    ["", ({ part }) => part],
    [`files at ${commitBefore}`, ({ before }) => shown(before?.files)],
    ["lines", ({ before }) => shown(before?.lines)],
    ["files now", ({ now }) => shown(now?.files)],
    ["lines now", ({ now }) => shown(now?.lines)],
  ]);
}
