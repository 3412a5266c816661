import { goalLine } from "../goal-line.ts";
import type { GoalResult } from "../goals.ts";
import { machineLine, type Machine } from "../machine.ts";
import { markdownTable } from "../markdown-table.ts";
import type { DurableFigures } from "./measure.ts";
import { modes, peers, type Mode } from "./peers.ts";
import type { Plan } from "./plan.ts";
import { lostOf } from "./goals.ts";
import type { Table } from "./summary.ts";

/** Everything a run has to say. */
export interface DurableFindings {
  readonly machine: Machine;
  readonly plan: Plan;
  readonly tables: readonly Table[];
  readonly figures: DurableFigures;
  readonly goals: readonly GoalResult[];
}

const modeTitles: Record<Mode, string> = {
  accepted: "Accepted: answered when the task is stored",
  answered: "Answered: answered when the task's end is stored too",
};

/** Writes the findings as Markdown: the page `docs/bench-durable.md`. */
export function renderDurableReport({ machine, plan, tables, figures, goals }: DurableFindings): string {
  const parts = [
    header(machine, plan),
    goals.length > 0
      ? `## Goals, accepted, 300 B, 100 connections\n\n${goals.map((goal) => `- ${goalLine(goal)}`).join("\n")}`
      : "",
    ...modes.flatMap((mode) => [
      `## ${modeTitles[mode]}`,
      ...tables.filter((table) => table.mode === mode && table.rows.length > 0).map(pointTable),
    ]),
    flushTable(figures),
    killText(figures),
    soakTable(figures),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function header(machine: Machine, { rounds, windows }: Plan): string {
  return `# What durability costs

Printed by \`pnpm bench:durable\` (\`--quick\` takes a minute, \`--write\` writes this page).

How to read it: absolute figures change from run to run, ratios less. Where a goal shows ✗, it was missed.

- Every server but the first has the task on the disk, flushed, before it answers. The zone is whole: token, rate limit, limits of body and
  connection, a log line and metrics for every request, and a task that is run, with a deadline, and ended.
- A task costs two writes, its creation and its end. "Accepted" is answered after the first; the second is done nevertheless, and is in
  the figures.
- "Group commit": what comes while the last commit runs shares the next. "A commit a write": the same server and statements without that;
  on PostgreSQL over ten connections, as many as all servers here have.
- @a2a-js/sdk runs on Express, on tables that its own command made, without token, limits, log and metrics. Its agent says that there is
  a task, then how it ended: two writes as well, and a look at the table before each.
- Each connection has one request at a time, so p50 and throughput say the same thing: at 100 connections 4 ms would be 25,000 req/s. The
  server without a store shows how far the zone as a whole is from that.

${machineLine(machine, "server on core 1, load on core 0, PostgreSQL on both")}
Rounds: ${rounds}, in the reverse order every other time; the best of ${windows} windows in a round, the median over the rounds. One request at a time on each connection.
CPU is that of the server's process; PostgreSQL's own is not in it.`;
}

function pointTable({ size, connections, rows }: Table): string {
  const table = markdownTable(
    ["server", "req/s", "of no store", "of a commit a write", "CPU µs", "p50 ms", "p99 ms"],
    rows.map(({ peer, requestsPerSecond, toNoStore, toSingle, cpuUs, p50Us, p99Us }) => [
      peers[peer].title,
      requestsPerSecond.toFixed(0),
      toNoStore?.toFixed(2) ?? "",
      toSingle?.toFixed(2) ?? "",
      cpuUs.toFixed(1),
      (p50Us / 1_000).toFixed(2),
      (p99Us / 1_000).toFixed(2),
    ]),
  );
  return `### ${size}, ${connections === 1 ? "1 connection" : `${connections} connections`}\n\n${table}`;
}

function flushTable({ flushes }: DurableFigures): string {
  if (flushes.length === 0) return "";
  const names = [...new Set(flushes.map(({ peer }) => peer))];
  const of = (name: string, mode: Mode): string =>
    flushes.find((count) => count.peer === name && count.mode === mode)?.flushesPerRequest.toFixed(3) ?? "";
  const table = markdownTable(
    ["server", ...modes],
    names.map((name) => [peers[name].title, ...modes.map((mode) => of(name, mode))]),
  );
  return `## Flushes of the disk for a request, 300 B, 100 connections

PostgreSQL's as it counts them itself, where commits of several connections share flushes too; SQLite's are its commits.

${table}`;
}

function killText({ kills }: DurableFigures): string {
  if (kills.length === 0) return "";
  const acknowledged = kills.reduce((sum, kill) => sum + kill.acknowledged, 0);
  return `## After kill -9

The server is killed in the middle of the load of 100 connections, with PostgreSQL if that keeps its tasks; both start again, and
every task that was acknowledged is asked for. ${kills.length} kills, ${acknowledged} acknowledged tasks, lost: **${lostOf(kills)}**.`;
}

function soakTable({ soak }: DurableFigures): string {
  if (soak.length === 0) return "";
  const table = markdownTable(
    ["server", "after s", "requests", "RSS MB", "heap MB", "event loop late, p99 ms"],
    soak.map(({ peer, second, requests, rss, heap, delayP99Ms }) => [
      peers[peer].title,
      second.toFixed(0),
      String(requests),
      (rss / 1_048_576).toFixed(0),
      (heap / 1_048_576).toFixed(0),
      delayP99Ms.toFixed(1),
    ]),
  );
  return `## Under load for long, answered, 300 B, 100 connections

Finished tasks are kept for 10 s.

${table}`;
}
