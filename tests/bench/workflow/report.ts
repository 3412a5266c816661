import { goalLine } from "../goal-line.ts";
import type { GoalResult } from "../goals.ts";
import { machineLine, type Machine } from "../machine.ts";
import { markdownTable } from "../markdown-table.ts";
import { chainCount, loopWidth, stepsInRun } from "./chains.ts";
import type { WorkflowFigures } from "./measure.ts";
import { peers } from "./peers.ts";
import { scalePoints, type Plan } from "./plan.ts";
import { summariseLoops, summarisePeers, summariseScaling, type PeerTable } from "./summary.ts";

/** Everything a run has to say. */
export interface WorkflowFindings {
  readonly machine: Machine;
  readonly plan: Plan;
  readonly figures: WorkflowFigures;
  readonly goals: readonly GoalResult[];
}

/** Writes the findings as Markdown: the page `docs/bench-workflow.md`. */
export function renderWorkflowReport({ machine, plan, figures, goals }: WorkflowFindings): string {
  const parts = [
    header(machine, plan),
    ...figures.skipped.map((peer) => `Left out, since this machine has no Java 17: ${peers[peer].title}.`),
    goals.length > 0 ? `## Goals of ours\n\n${goals.map((goal) => `- ${goalLine(goal)}`).join("\n")}` : "",
    ...summarisePeers(figures.samples).map((table) => (table.runs === 1 ? aloneTable(table) : manyTable(table))),
    scaleTables(figures),
    loopTable(figures, plan),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function header(machine: Machine, { rounds, windows }: Plan): string {
  // More wanted to run than there are cores: what was measured is that too.
  const isBusy = machine.loadBefore > machine.cores;
  const busy = isBusy
    ? "\n\n**The machine was busy with much else: absolute figures say little here, and ratios are rough.**"
    : "";
  const bound = "the peer on core 1, agents on core 0, PostgreSQL and Kafka on both";
  return `# What a workflow costs

Printed by \`pnpm bench:workflow\` (\`--quick\` takes four minutes, \`--write\` writes this page).

A run is ${stepsInRun} steps, one after another. Each gives an agent in another process what the agent before it answered, over HTTP, in both protocols
by turns; ${chainCount} different workflows share the agents. How to read it: absolute figures change from run to run, and with the disk, ratios
less. Where a goal shows ✗, it was missed.

- By hand, nothing is kept: the same calls by the same HTTP client (undici), one after another. It says how long the calls take.
- By hand, a row a step: the least that a careful person writes. A row is flushed to the disk before each call, and its answer after it;
  a run that is begun again passes by what is done. Nobody begins it again, though, and there is no deadline, no bound for an agent, no
  retry, no cancellation, and nothing to look at. It is the fair peer: what a run must cost that is kept at all.
- DBOS Transact keeps each step's answer in PostgreSQL, and goes on with runs after a crash. Steps are calls of its own process: what an
  agent's call needs beside that is not there.
- Crosszone is whole: the task of each step is a message, the bridge has a durable row for each call, leases, bounds and circuits, both have log
  lines and metrics, and any process goes on with any run.
- Each peer's process begins its runs too: that is in its CPU time, as is all that SQLite does. PostgreSQL's, Kafka's and the agents' own CPU
  time are not.

${machineLine(machine, bound)}
Rounds: ${rounds}, in the reverse order every other time; the best of ${windows} windows in a round, the median over the rounds. Texts of 230 B each way.
A step's time is from the end of the step before it.${busy}`;
}

function manyTable({ pace, runs, rows }: PeerTable): string {
  const table = markdownTable(
    ["", "steps/s", "of by hand with a row", "CPU µs a step", "step p50 ms", "p99 ms"],
    rows.map(({ peer, stepsPerSecond, toFair, cpuUs, p50Ms, p99Ms }) => [
      peers[peer].title,
      stepsPerSecond.toFixed(0),
      toFair?.toFixed(2) ?? "",
      cpuUs.toFixed(0),
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
    ]),
  );
  return `## ${runs} runs at once, agents that answer ${pace}\n\n${table}`;
}

function aloneTable({ pace, rows }: PeerTable): string {
  const table = markdownTable(
    ["", "step p50 ms", "p99 ms", "overhead p50 ms", "p99 ms", "× by hand with a row", "CPU µs a step"],
    rows.map(({ peer, p50Ms, p99Ms, overheadMs, overheadP99Ms, overheadToFair, cpuUs }) => [
      peers[peer].title,
      p50Ms.toFixed(2),
      p99Ms.toFixed(2),
      overheadMs?.toFixed(2) ?? "",
      overheadP99Ms?.toFixed(2) ?? "",
      overheadToFair?.toFixed(2) ?? "",
      cpuUs.toFixed(0),
    ]),
  );
  return `## One run at a time, agents that answer ${pace}

The overhead is what there is beside the calls themselves.

${table}`;
}

function scaleTables({ scaling }: WorkflowFigures): string {
  const rows = summariseScaling(scaling);
  if (rows.length === 0) return "";
  const tables = scalePoints.map(({ pace, what }) => {
    const own = rows.filter((row) => row.pace === pace);
    const table = markdownTable(
      ["", "steps/s of one", "of two", "times"],
      own.map(({ peer, one, two, ratio }) => [peers[peer].title, one.toFixed(0), two.toFixed(0), ratio.toFixed(2)]),
    );
    return `### ${what[0]?.toUpperCase() ?? ""}${what.slice(1)}\n\n${table}`;
  });
  return `## One process and two

64 runs under way in all processes together, on one database; no process has a core of its own, and each has all parts: whoever has a
result goes on with its run. Peers by hand and DBOS go on with their own runs in each process, and ask all agents at once. Where agents
answer at once the cores decide: agents, PostgreSQL and Kafka share them with the processes, and what the peers by hand gain says what the machine
has left for a second one. Only where that is as much as the goal asks for, the goal counts.

${tables.join("\n\n")}`;
}

function loopTable({ loops }: WorkflowFigures, { items }: Plan): string {
  const rows = summariseLoops(loops);
  if (rows.length === 0) return "";
  const table = markdownTable(
    ["", "ms", "items/s", "× as fast as by hand with a row"],
    rows.map(({ peer, ms, toFair }) => [
      peers[peer].title,
      ms.toFixed(0),
      (items / (ms / 1_000)).toFixed(0),
      toFair?.toFixed(2) ?? "",
    ]),
  );
  return `## A loop of ${items} items

One run, ${loopWidth} items at once, an agent that answers in 20 ms: the calls alone take ${((items / loopWidth) * 20).toFixed(0)} ms at least.

${table}`;
}
