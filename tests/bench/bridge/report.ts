import { goalLine } from "../goal-line.ts";
import type { GoalResult } from "../goals.ts";
import { machineLine, type Machine } from "../machine.ts";
import { markdownTable } from "../markdown-table.ts";
import type { BridgeFigures } from "./measure.ts";
import { buses, concurrency, peers } from "./peers.ts";
import type { Plan } from "./plan.ts";
import { summariseFairness, summarisePeers, summariseProtocols, type PeerTable } from "./summary.ts";

/** Everything a run has to say. */
export interface BridgeFindings {
  readonly machine: Machine;
  readonly plan: Plan;
  readonly figures: BridgeFigures;
  readonly goals: readonly GoalResult[];
}

/** Writes the findings as Markdown: the page `docs/bench-bridge.md`. */
export function renderBridgeReport({ machine, plan, figures, goals }: BridgeFindings): string {
  const tables = summarisePeers(figures.samples);
  const parts = [
    header(machine, plan),
    ...figures.skipped.map((bus) => `**Left out, since this machine has no Java 17: ${buses[bus].title}.**`),
    goals.length > 0 ? `## Goals\n\n${goals.map((goal) => `- ${goalLine(goal)}`).join("\n")}` : "",
    ...[...new Set(tables.map(({ bus }) => bus))].flatMap((bus) => [
      `## ${buses[bus].title}`,
      ...tables.filter((table) => table.bus === bus).map(peerTable),
    ]),
    fairTable(figures),
    protocolTable(figures),
    backlogTable(figures),
    translationTable(figures),
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
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

function peerTable({ agents, inFlight, rows }: PeerTable): string {
  const table = markdownTable(
    ["", "tasks/s", "of the loop", "CPU µs a task", "p50 ms", "p99 ms"],
    rows.map(({ peer, tasksPerSecond, toLoop, cpuUs, p50Ms, p99Ms }) => [
      peers[peer].title,
      tasksPerSecond.toFixed(0),
      toLoop?.toFixed(2) ?? "",
      cpuUs.toFixed(0),
      p50Ms.toFixed(1),
      p99Ms.toFixed(1),
    ]),
  );
  const under = inFlight === 1 ? "one task under way" : `${inFlight} tasks under way (one at a time: 10)`;
  return `### Agents that answer ${agents}, ${under}\n\n${table}`;
}

function fairTable({ fairness }: BridgeFigures): string {
  if (fairness.length === 0) return "";
  const table = markdownTable(
    ["", "tasks/s without", "with", "p50 ms without", "with", "p99 ms without", "with", "p99 with/without"],
    summariseFairness(fairness).map((row) => [
      `${buses[row.bus].title}: ${peers[row.peer].title}`,
      row.without.tasksPerSecond.toFixed(0),
      row.with.tasksPerSecond.toFixed(0),
      row.without.p50Ms.toFixed(1),
      row.with.p50Ms.toFixed(1),
      row.without.p99Ms.toFixed(1),
      row.with.p99Ms.toFixed(1),
      row.p99Ratio.toFixed(2),
    ]),
  );
  return `## Slow agents beside fast ones

45 agents that answer in 100 ms, one task of each under way; without and with five more that answer in 1 s and have 30 tasks waiting each.
In turns, in one process; figures are those of the fast ones.

${table}`;
}

function protocolTable({ protocols }: BridgeFigures): string {
  if (protocols.length === 0) return "";
  const table = markdownTable(
    ["", "jsonrpc-2.0 tasks/s", "simple-a2a tasks/s", "ratio", "jsonrpc-2.0 CPU µs", "simple-a2a CPU µs"],
    summariseProtocols(protocols).map(({ bus, jsonRpc, simple, ratio }) => [
      buses[bus].title,
      jsonRpc.tasksPerSecond.toFixed(0),
      simple.tasksPerSecond.toFixed(0),
      ratio.toFixed(2),
      jsonRpc.cpuUs.toFixed(0),
      simple.cpuUs.toFixed(0),
    ]),
  );
  return `## Both protocols (N2)

The bridge, agents that answer at once, 200 tasks under way; in turns, in one process.

${table}`;
}

function backlogTable({ backlogs }: BridgeFigures): string {
  if (backlogs.length === 0) return "";
  const table = markdownTable(
    ["", "tasks", "RSS MB before", "RSS MB with", "another agent's task, p50 ms before", "with", "then done tasks/s"],
    backlogs.map(({ bus, tasks, rssBefore, rssWith, before, meanwhile, drainedPerSecond }) => [
      buses[bus].title,
      String(tasks),
      (rssBefore / 1_048_576).toFixed(0),
      (rssWith / 1_048_576).toFixed(0),
      before.p50Ms.toFixed(1),
      meanwhile.p50Ms.toFixed(1),
      drainedPerSecond.toFixed(0),
    ]),
  );
  return `## A long queue

So many tasks of five agents that do not answer. Then they answer, at once.

${table}`;
}

function translationTable({ translation }: BridgeFigures): string {
  if (translation.length === 0) return "";
  const table = markdownTable(
    ["", "bytes of the answer", "request p50 µs", "p95 µs", "response p50 µs", "p95 µs"],
    translation.map(({ protocol, bytes, request, response }) => [
      protocol,
      String(bytes),
      request.p50Us.toFixed(1),
      request.p95Us.toFixed(1),
      response.p50Us.toFixed(1),
      response.p95Us.toFixed(1),
    ]),
  );
  return `## Adapters alone (N1)

A task's input to the JSON text of a request, and the bytes of an answer to its output; half of the content is one text, half of it rows.

${table}`;
}
