import type { Findings } from "../kit/benchmark.ts";
import { goalList } from "../kit/goals.ts";
import { machineLine, type Machine } from "../kit/machine.ts";
import { fixed, megabytes, page, section, tableSection } from "../kit/markdown.ts";
import { sum } from "../kit/statistics.ts";
import { lostOf, summarizeDurable, type DurableFigures, type Table } from "./figures.ts";
import { modes, peers, type Mode, type Plan } from "./plan.ts";

const modeTitles: Record<Mode, string> = {
  accepted: "Accepted: answered when the task is stored",
  answered: "Answered: answered when the task's end is stored too",
};

/** Writes the findings as Markdown: the page `docs/bench-durable.md`. */
export function renderDurableReport({ machine, plan, figures, goals }: Findings<Plan, DurableFigures>): string {
  return page([
    header(machine, plan),
    section("Goals, accepted, 300 B, 100 connections", goalList(goals)),
    ...modes.flatMap((mode) => [
      `## ${modeTitles[mode]}`,
      ...summarizeDurable(figures.samples)
        .filter((table) => table.mode === mode)
        .map(pointSection),
    ]),
    flushSection(figures),
    killSection(figures),
    soakSection(figures),
  ]);
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

const pointSection = ({ size, connections, rows }: Table): string =>
  tableSection({
    title: `${size}, ${connections === 1 ? "1 connection" : `${connections} connections`}`,
    level: 3,
    rows,
    columns: [
      ["server", ({ peer }) => peers[peer].title],
      ["req/s", ({ requestsPerSecond }) => fixed(requestsPerSecond, 0)],
      ["of no store", ({ toNoStore }) => fixed(toNoStore, 2)],
      ["of a commit a write", ({ toSingle }) => fixed(toSingle, 2)],
      ["CPU µs", ({ cpuUs }) => fixed(cpuUs, 1)],
      ["p50 ms", ({ p50Us }) => fixed(p50Us / 1_000, 2)],
      ["p99 ms", ({ p99Us }) => fixed(p99Us / 1_000, 2)],
    ],
  });

const flushSection = ({ flushes }: DurableFigures): string =>
  tableSection({
    title: "Flushes of the disk for a request, 300 B, 100 connections",
    text: "PostgreSQL's as it counts them itself, where commits of several connections share flushes too; SQLite's are its commits.",
    rows: [...new Set(flushes.map(({ peer }) => peer))],
    columns: [
      ["server", (name) => peers[name].title],
      ...modes.map((mode) => {
        const cell = (name: string): string =>
          fixed(flushes.find((one) => one.peer === name && one.mode === mode)?.flushesPerRequest, 3);
        return [mode, cell] as const;
      }),
    ],
  });

function killSection({ kills }: DurableFigures): string {
  if (kills.length === 0) return "";
  const acknowledged = sum(kills.map((kill) => kill.acknowledged));
  return `## After kill -9

The server is killed in the middle of the load of 100 connections, with PostgreSQL if that keeps its tasks; both start again, and
every task that was acknowledged is asked for. ${kills.length} kills, ${acknowledged} acknowledged tasks, lost: **${lostOf(kills)}**.`;
}

const soakSection = ({ soak }: DurableFigures): string =>
  tableSection({
    title: "Under load for long, answered, 300 B, 100 connections",
    text: "Finished tasks are kept for 10 s.",
    rows: soak,
    columns: [
      ["server", ({ peer }) => peers[peer].title],
      ["after s", ({ second }) => fixed(second, 0)],
      ["requests", ({ requests }) => String(requests)],
      ["RSS MB", ({ rss }) => megabytes(rss)],
      ["heap MB", ({ heap }) => megabytes(heap)],
      ["event loop late, p99 ms", ({ delayP99Ms }) => fixed(delayP99Ms, 1)],
    ],
  });
