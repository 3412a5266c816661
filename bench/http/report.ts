import { goalList, type GoalResult } from "../kit/goals.ts";
import type { Machine } from "../kit/machine.ts";
import { fixed, page, section, tableSection } from "../kit/markdown.ts";
import { sizeNames, type SizeName } from "../requests/messages.ts";
import { clients } from "./clients.ts";
import type { Summary } from "./figures.ts";
import type { Plan } from "./plan.ts";
import { servers } from "./servers.ts";

export interface HttpFindings {
  readonly machine: Machine;
  readonly plan: Plan;
  readonly summary: Summary;
  readonly goals: readonly GoalResult[];
}

/** Writes the findings as Markdown: the page `docs/benchmark.md`. */
export function renderHttpReport({ machine, plan, summary, goals }: HttpFindings): string {
  return page([
    header(machine, plan),
    ...sizeNames.map((size) => serverSection(summary.servers, size)),
    tableSection({
      title: "Clients, whole calls against the bare server, 300 B",
      rows: summary.clients,
      columns: [
        ["client", ({ client }) => clients[client].title],
        ["CPU µs a call", ({ cpuUs }) => fixed(cpuUs, 1)],
      ],
    }),
    tableSection({
      title: "Crosszone client without a network, CPU µs",
      rows: summary.steps,
      columns: [
        ["size", ({ size }) => size],
        ["check and build", ({ buildUs }) => fixed(buildUs, 2)],
        ["read and check", ({ parseUs }) => fixed(parseUs, 2)],
      ],
    }),
    tableSection({
      title: "Acknowledged tasks after a crash",
      rows: summary.kills,
      columns: [
        ["server", ({ server }) => servers[server].title],
        ["acknowledged", ({ acknowledged }) => fixed(acknowledged, 0)],
        ["lost", ({ lost }) => fixed(lost, 0)],
      ],
    }),
    section("Goals", goalList(goals)),
  ]);
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
  With SQLite or PostgreSQL, the task and its end are flushed to the disk before the request is answered.

Node ${node}, ${cpu}, ${cores} cores, ${bound}. Load average before: ${loadBefore.toFixed(1)}.
Rounds: ${rounds}, in the reverse order every other time; the best of ${windows} windows in a round, the median over the rounds. ${connections} connections, one request at a time on each.`;
}

function serverSection(all: Summary["servers"], ofSize: SizeName): string {
  const rows = all.filter(({ size }) => size === ofSize);
  const table = tableSection({
    title: `Servers, requests of ${ofSize}`,
    rows,
    columns: [
      ["server", ({ server }) => servers[server].title],
      ["req/s", ({ requestsPerSecond }) => fixed(requestsPerSecond, 0)],
      ["of bare", ({ toBare }) => fixed(toBare.byRequests, 2)],
      ["CPU µs", ({ cpuUs }) => fixed(cpuUs, 1)],
      ["of bare by CPU", ({ toBare }) => fixed(toBare.byCpu, 2)],
      ["busy", ({ busy }) => `${fixed(busy * 100, 0)} %`],
      ["p50 µs", ({ p50Us }) => fixed(p50Us, 0)],
      ["p99 µs", ({ p99Us }) => fixed(p99Us, 0)],
    ],
  });
  if (rows.every(({ busy }) => busy >= 0.85)) return table;
  return `${table}\n\nA server that was not busy was held up by the load or by other work on the machine: go by its CPU time.`;
}
