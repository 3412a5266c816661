import type { Findings } from "../kit/benchmark.ts";
import { goalList } from "../kit/goals.ts";
import { machineLine, type Machine } from "../kit/machine.ts";
import { fixed, page, section, tableSection } from "../kit/markdown.ts";
import { chainCount, loopWidth, stepsInRun } from "./chains.ts";
import { summarizeLoops, summarizePeers, summarizeScaling, type PeerTable, type WorkflowFigures } from "./figures.ts";
import { peers, scalePoints, type Plan } from "./plan.ts";

/** Writes the findings as Markdown: the page `docs/bench-workflow.md`. */
export function renderWorkflowReport({ machine, plan, figures, goals }: Findings<Plan, WorkflowFigures>): string {
  return page([
    header(machine, plan),
    ...figures.skipped.map((peer) => `Left out, since this machine has no Java 17: ${peers[peer].title}.`),
    section("Goals of ours", goalList(goals)),
    ...summarizePeers(figures.samples).map((table) => (table.runs === 1 ? aloneSection(table) : manySection(table))),
    scaleSections(figures),
    loopSection(figures, plan),
  ]);
}

function header(machine: Machine, { rounds, windows }: Plan): string {
  // The load average is above the number of cores, so the figures include other work.
  const isBusy = machine.loadBefore > machine.cores;
  const busy = isBusy
    ? "\n\n**The machine was busy with much else: absolute figures say little here, and ratios are rough.**"
    : "";
  const bound = "the peer on core 1, agents on core 0, PostgreSQL and Kafka on both";
  return `# What a workflow costs

Printed by \`pnpm bench:workflow\` (\`--quick\` takes six minutes, \`--write\` writes this page).

A run is ${stepsInRun} steps, one after another. Each gives an agent in another process what the agent before it answered, over HTTP, in both protocols
by turns; ${chainCount} different workflows share the agents. How to read it: absolute figures change from run to run, and with the disk, ratios
less. Where a goal shows ✗, it was missed.

- By hand, nothing is kept: the same calls by the same HTTP client (undici), one after another. It shows how long the calls take.
- By hand, a row a step: the least that a careful person writes. A row is flushed to the disk before each call, and its answer after it;
  a restarted run skips completed steps. Nothing restarts it, though, and it has no deadlines, limits per agent, retries, cancellation or
  page. It is the fair peer: the least that a durable run costs.
- DBOS Transact keeps each step's answer in PostgreSQL, and continues runs after a crash. Steps are calls of its own process, without
  the other parts of an agent call.
- Crosszone is whole: the task of each step is a message, the bridge has a durable row for each call, leases, bounds and circuits, both have log
  lines and metrics, and any process continues any run.
- Each peer's process also starts its runs: its CPU time includes that, and the work of SQLite. PostgreSQL's, Kafka's and the agents' own CPU
  time are not.

${machineLine(machine, bound)}
Rounds: ${rounds}, in the reverse order every other time; the best of ${windows} windows in a round, the median over the rounds. Texts of 230 B each way.
A step's time is from the end of the step before it.${busy}`;
}

const manySection = ({ pace, runs, rows }: PeerTable): string =>
  tableSection({
    title: `${runs} runs at once, agents that answer ${pace}`,
    rows,
    columns: [
      ["", ({ peer }) => peers[peer].title],
      ["steps/s", ({ stepsPerSecond }) => fixed(stepsPerSecond, 0)],
      ["of by hand with a row", ({ toFair }) => fixed(toFair, 2)],
      ["CPU µs a step", ({ cpuUs }) => fixed(cpuUs, 0)],
      ["step p50 ms", ({ p50Ms }) => fixed(p50Ms, 1)],
      ["p99 ms", ({ p99Ms }) => fixed(p99Ms, 1)],
    ],
  });

const aloneSection = ({ pace, rows }: PeerTable): string =>
  tableSection({
    title: `One run at a time, agents that answer ${pace}`,
    text: "The overhead is the time of a run without the calls themselves.",
    rows,
    columns: [
      ["", ({ peer }) => peers[peer].title],
      ["step p50 ms", ({ p50Ms }) => fixed(p50Ms, 2)],
      ["p99 ms", ({ p99Ms }) => fixed(p99Ms, 2)],
      ["overhead p50 ms", ({ overheadMs }) => fixed(overheadMs, 2)],
      ["p99 ms", ({ overheadP99Ms }) => fixed(overheadP99Ms, 2)],
      ["× by hand with a row", ({ overheadToFair }) => fixed(overheadToFair, 2)],
      ["CPU µs a step", ({ cpuUs }) => fixed(cpuUs, 0)],
    ],
  });

const scaleText = `64 runs under way in all processes together, on one database. No process has its own core, and each has all roles: the process that has a
result continues its run. Peers by hand and DBOS continue their own runs in each process, and call all agents at once. If agents answer at
once, the cores decide: agents, PostgreSQL and Kafka share them with the processes. The gain of the peers by hand shows what the machine has left
for a second process. The goal counts only if that gain reaches it.`;

function scaleSections({ scaling }: WorkflowFigures): string {
  const rows = summarizeScaling(scaling);
  if (rows.length === 0) return "";
  const tables = scalePoints.map(({ pace, what }) =>
    tableSection({
      title: `${what[0]?.toUpperCase() ?? ""}${what.slice(1)}`,
      level: 3,
      rows: rows.filter((row) => row.pace === pace),
      columns: [
        ["", ({ peer }) => peers[peer].title],
        ["steps/s of one", ({ one }) => fixed(one, 0)],
        ["of two", ({ two }) => fixed(two, 0)],
        ["times", ({ ratio }) => fixed(ratio, 2)],
      ],
    }),
  );
  return section("One process and two", scaleText, ...tables);
}

const loopSection = ({ loops }: WorkflowFigures, { items }: Plan): string =>
  tableSection({
    title: `A loop of ${items} items`,
    text: `One run, ${loopWidth} items at once, an agent that answers in 20 ms: the calls alone take ${((items / loopWidth) * 20).toFixed(0)} ms at least.`,
    rows: summarizeLoops(loops),
    columns: [
      ["", ({ peer }) => peers[peer].title],
      ["ms", ({ ms }) => fixed(ms, 0)],
      ["items/s", ({ ms }) => fixed(items / (ms / 1_000), 0)],
      ["× as fast as by hand with a row", ({ toFair }) => fixed(toFair, 2)],
    ],
  });
