import type { Findings } from "../kit/benchmark.ts";
import { goalList } from "../kit/goals.ts";
import { machineLine, type Machine } from "../kit/machine.ts";
import { fixed, megabytes, page, section, tableSection } from "../kit/markdown.ts";
import {
  summarizeFairness,
  summarizePeers,
  summarizeProtocols,
  type BridgeFigures,
  type PeerTable,
} from "./figures.ts";
import { buses, concurrency, peers, type Plan } from "./plan.ts";

/** Writes the findings as Markdown: the page `docs/bench-bridge.md`. */
export function renderBridgeReport({ machine, plan, figures, goals }: Findings<Plan, BridgeFigures>): string {
  const tables = summarizePeers(figures.samples);
  return page([
    header(machine, plan),
    ...figures.skipped.map((bus) => `**Left out, since this machine has no Java 17: ${buses[bus].title}.**`),
    section("Goals", goalList(goals)),
    ...[...new Set(tables.map(({ bus }) => bus))].flatMap((bus) => [
      `## ${buses[bus].title}`,
      ...tables.filter((table) => table.bus === bus).map(peerSection),
    ]),
    fairSection(figures),
    protocolSection(figures),
    backlogSection(figures),
    translationSection(figures),
  ]);
}

function header(machine: Machine, { rounds, windows }: Plan): string {
  return `# What the agent bridge costs

Printed by \`pnpm bench:bridge\` (\`--quick\` takes three minutes, \`--write\` writes this page).

A task's way to an agent and back: it is stored, an agent in another process is asked over HTTP, its result is stored. On Kafka another
program publishes its \`AgentTask\` and receives its \`AgentResult\`. How to read it: absolute figures change from run to run, ratios less. Where
a goal shows ✗, it was missed.

- The bridge is whole: a durable job for each task, leases, a bound for each agent, deadlines, retries, circuits, rules of addresses, log
  lines and metrics.
- The loop by hand has the same engine, the same HTTP client (undici) and ${concurrency} tasks at once as the bridge, and nothing else. In a database it
  inserts a row before the call and changes it afterwards, each in a commit of its own. On Kafka it keeps nothing: the message stays on the topic
  until the result is published. It is the limit, not a way to do it: no lease, no bound for an agent, no polls, no cancellation.
- One at a time is what a consumer does that waits for each agent in its turn.
- Each peer's process sends the tasks and takes the results too, as a zone of one process does: that is in its CPU time, as is all that
  SQLite does. PostgreSQL's, Kafka's and the agents' own CPU time are not.

${machineLine(machine, "the peer on core 1, agents on core 0, PostgreSQL and Kafka on both")}
Rounds: ${rounds}, in the reverse order every other time; the best of ${windows} windows in a round, the median over the rounds. Texts of 230 B each way.`;
}

const peerSection = ({ agents, inFlight, rows }: PeerTable): string =>
  tableSection({
    title: `Agents that answer ${agents}, ${inFlight === 1 ? "one task under way" : `${inFlight} tasks under way (one at a time: 10)`}`,
    level: 3,
    rows,
    columns: [
      ["", ({ peer }) => peers[peer].title],
      ["tasks/s", ({ tasksPerSecond }) => fixed(tasksPerSecond, 0)],
      ["of the loop", ({ toLoop }) => fixed(toLoop, 2)],
      ["CPU µs a task", ({ cpuUs }) => fixed(cpuUs, 0)],
      ["p50 ms", ({ p50Ms }) => fixed(p50Ms, 1)],
      ["p99 ms", ({ p99Ms }) => fixed(p99Ms, 1)],
    ],
  });

const fairSection = ({ fairness }: BridgeFigures): string =>
  tableSection({
    title: "Slow and fast agents together",
    text: `45 agents that answer in 100 ms, one task of each under way; without and with five more that answer in 1 s and have 30 tasks waiting each.
In turns, in one process; figures are those of the fast ones.`,
    rows: summarizeFairness(fairness),
    columns: [
      ["", ({ bus, peer }) => `${buses[bus].title}: ${peers[peer].title}`],
      ["tasks/s without", (row) => fixed(row.without.tasksPerSecond, 0)],
      ["with", (row) => fixed(row.with.tasksPerSecond, 0)],
      ["p50 ms without", (row) => fixed(row.without.p50Ms, 1)],
      ["with", (row) => fixed(row.with.p50Ms, 1)],
      ["p99 ms without", (row) => fixed(row.without.p99Ms, 1)],
      ["with", (row) => fixed(row.with.p99Ms, 1)],
      ["p99 with/without", ({ p99Ratio }) => fixed(p99Ratio, 2)],
    ],
  });

const protocolSection = ({ protocols }: BridgeFigures): string =>
  tableSection({
    title: "Both protocols (N2)",
    text: "The bridge, agents that answer at once, 200 tasks under way; in turns, in one process.",
    rows: summarizeProtocols(protocols),
    columns: [
      ["", ({ bus }) => buses[bus].title],
      ["jsonrpc-2.0 tasks/s", ({ jsonRpc }) => fixed(jsonRpc.tasksPerSecond, 0)],
      ["simple-a2a tasks/s", ({ simple }) => fixed(simple.tasksPerSecond, 0)],
      ["ratio", ({ ratio }) => fixed(ratio, 2)],
      ["jsonrpc-2.0 CPU µs", ({ jsonRpc }) => fixed(jsonRpc.cpuUs, 0)],
      ["simple-a2a CPU µs", ({ simple }) => fixed(simple.cpuUs, 0)],
    ],
  });

const backlogSection = ({ backlogs }: BridgeFigures): string =>
  tableSection({
    title: "A long queue",
    text: "Tasks wait for five agents that do not answer. Then all agents answer at once.",
    rows: backlogs,
    columns: [
      ["", ({ bus }) => buses[bus].title],
      ["tasks", ({ tasks }) => String(tasks)],
      ["RSS MB before", ({ rssBefore }) => megabytes(rssBefore)],
      ["RSS MB with", ({ rssWith }) => megabytes(rssWith)],
      ["another agent's task, p50 ms before", ({ before }) => fixed(before.p50Ms, 1)],
      ["with", ({ meanwhile }) => fixed(meanwhile.p50Ms, 1)],
      ["then done tasks/s", ({ drainedPerSecond }) => fixed(drainedPerSecond, 0)],
    ],
  });

const translationSection = ({ translation }: BridgeFigures): string =>
  tableSection({
    title: "Adapters alone (N1)",
    text: "A task's input to the JSON text of a request, and the bytes of an answer to its output; half of the content is one text, half of it rows.",
    rows: translation,
    columns: [
      ["", ({ protocol }) => protocol],
      ["bytes of the answer", ({ bytes }) => String(bytes)],
      ["request p50 µs", ({ request }) => fixed(request.p50Us, 1)],
      ["p95 µs", ({ request }) => fixed(request.p95Us, 1)],
      ["response p50 µs", ({ response }) => fixed(response.p50Us, 1)],
      ["p95 µs", ({ response }) => fixed(response.p95Us, 1)],
    ],
  });
