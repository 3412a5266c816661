import { clients } from "./clients/clients.ts";
import { goalLine } from "./goal-line.ts";
import type { GoalResult } from "./goals.ts";
import type { Machine } from "./machine.ts";
import { markdownTable } from "./markdown-table.ts";
import { sizeNames, type SizeName } from "./messages.ts";
import type { Plan } from "./plan.ts";
import { servers } from "./servers/servers.ts";
import type { ServerRow, Summary } from "./summary.ts";

/** Everything a run has to say. */
export interface Findings {
  machine: Machine;
  plan: Plan;
  summary: Summary;
  goals: GoalResult[];
}

/** Writes the findings as Markdown. */
export function renderReport({ machine, plan, summary, goals }: Findings): string {
  const parts = [
    header(machine, plan),
    ...sizeNames.map((size) =>
      serverTable(
        summary.servers.filter((row) => row.size === size),
        size,
      ),
    ),
    clientTable(summary),
    stepTable(summary),
    goals.length > 0 ? `## Goals\n\n${goals.map((goal) => `- ${goalLine(goal)}`).join("\n")}` : "",
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

function header({ node, cpu, cores, pinned, loadBefore }: Machine, { rounds, windows, connections }: Plan): string {
  const bound = pinned
    ? "pinned: server on core 1, load on core 0"
    : "NOT pinned (needs two cores and taskset): server and load disturb each other";
  return `# Benchmark

Printed by \`pnpm bench\` (\`--quick\` takes half a minute, \`--write\` writes this page).

How to read it: absolute figures change from run to run, ratios less. Where a goal shows ✗, it was missed.

- "Core" does the work that the other libraries do: routing, the body, parse, validation of parameters and result, dispatch.
- "Edge" does the same work behind all that the execution zone puts before its tasks: HTTP with limits of time and size, the bearer
  token, the rate limit of each caller, a log line and two metrics for every request. The lines are written at the end of each turn of
  the event loop, here to /dev/null. Of the other rows, only the next has any of this.
- "Execution zone" is the whole process: the edge, and for each request a task that is stored, run with a deadline, logged and measured.
  With SQLite, the task and its end are flushed to the disk before the request is answered.

Node ${node}, ${cpu}, ${cores} cores, ${bound}. Load average before: ${loadBefore.toFixed(1)}.
Rounds: ${rounds}, in the reverse order every other time; the best of ${windows} windows in a round, the median over the rounds. ${connections} connections, one request at a time on each.`;
}

function serverTable(rows: readonly ServerRow[], size: SizeName): string {
  if (rows.length === 0) return "";
  const table = markdownTable(
    ["server", "req/s", "of bare", "CPU µs", "of bare by CPU", "busy", "p50 µs", "p99 µs"],
    rows.map(({ server, requestsPerSecond, cpuUs, busy, p50Us, p99Us, toBare }) => [
      servers[server].title,
      requestsPerSecond.toFixed(0),
      toBare.byRequests.toFixed(2),
      cpuUs.toFixed(1),
      toBare.byCpu.toFixed(2),
      `${(busy * 100).toFixed(0)} %`,
      p50Us.toFixed(0),
      p99Us.toFixed(0),
    ]),
  );
  const idle = rows.some(({ busy }) => busy < 0.85);
  const warning =
    "A server that was not busy was held up by the load or by other work on the machine: go by its CPU time.";
  return `## Servers, requests of ${size}\n\n${table}${idle ? `\n\n${warning}` : ""}`;
}

function clientTable({ clients: rows }: Summary): string {
  if (rows.length === 0) return "";
  const cells = rows.map(({ client, cpuUs }) => [clients[client].title, cpuUs.toFixed(1)]);
  return `## Clients, whole calls against the bare server, 300 B\n\n${markdownTable(["client", "CPU µs a call"], cells)}`;
}

function stepTable({ steps }: Summary): string {
  if (steps.length === 0) return "";
  const cells = steps.map(({ size, buildUs, parseUs }) => [size, buildUs.toFixed(2), parseUs.toFixed(2)]);
  return `## Crosszone client without a network, CPU µs\n\n${markdownTable(["size", "check and build", "read and check"], cells)}`;
}
