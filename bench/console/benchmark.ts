import { defineBenchmark } from "../kit/benchmark.ts";
import { fixed, grouped, paragraphs, tableSection } from "../kit/markdown.ts";
import { type ListRow, measureConsole, type Plan } from "./measure.ts";

const fullPlan: Plan = { sizes: [1_000, 100_000, 1_000_000], requests: 15 };
const quickPlan: Plan = { sizes: [1_000, 2_000], requests: 3 };

const engines = { sqlite: "SQLite", postgres: "PostgreSQL" } as const;

/** The most that the first rows of a list may take, milliseconds. */
const mostMs = 200;

/** How many times as long as with the fewest rows. */
function ratioOf(found: readonly ListRow[], { engine, list, ms }: ListRow): number {
  const [first] = found.filter((row) => row.engine === engine && row.list === list);
  return ms / (first?.ms ?? ms);
}

export const console = defineBenchmark({
  title: "The lists of the console as their tables grow",

  measure: ({ isQuick }, progress) => measureConsole(isQuick ? quickPlan : fullPlan, progress),

  render: (found) =>
    paragraphs(
      "The requests with which the tabs Find and Runs read their first 50 rows, over HTTP to a zone in a process of its own, until the whole response has arrived.",
      tableSection({
        title: "First rows",
        rows: found,
        columns: [
          ["", ({ engine, list }) => `${engines[engine]}: ${list}`],
          ["rows", ({ rows }) => grouped(rows)],
          ["median ms", ({ ms }) => fixed(ms, 1)],
          ["of the fewest rows", (row) => fixed(ratioOf(found, row), 2)],
        ],
      }),
    ),

  isBroken: (found) => found.some(({ ms }) => ms > mostMs),
});
