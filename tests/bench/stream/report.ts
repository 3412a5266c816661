import { goalLine } from "../goal-line.ts";
import type { GoalResult } from "../goals.ts";
import { machineLine, type Machine } from "../machine.ts";
import { markdownTable } from "../markdown-table.ts";
import { growthOf, sumOf } from "./goals.ts";
import type { Cpu } from "./measure-cpu.ts";
import type { Latency, StreamFigures } from "./measure.ts";
import type { Plan } from "./options.ts";
import { tokensPerSecond } from "./token-text.ts";

export interface StreamFindings {
  readonly machine: Machine;
  readonly plan: Plan;
  readonly figures: StreamFigures;
  readonly goals: readonly GoalResult[];
}

/** Writes the findings as Markdown: the page `docs/bench-stream.md`. */
export function renderStreamReport({ machine, plan, figures, goals }: StreamFindings): string {
  const { streams, seconds, everyMs, stalled } = plan;
  const { cpu, slack, first, right, rss, errors } = figures;
  const parts = [
    `# What streaming costs`,
    `Printed by \`pnpm bench:stream\` (\`--quick\` takes a minute, \`--write\` writes this page).`,
    `${streams} questions, one each ${everyMs} ms. Each answer is ${tokensPerSecond} tokens a second for ${seconds} s, each token an event of its own. How to read it: absolute
figures change from run to run, ratios of one run less. Where a goal shows ✗, it was missed.

- The relay is the limit, not a way to do it: two processes of bare node:http that pass bytes on from the source to a reader. It reads no
  event, knows no task and keeps nothing.
- The agent speaks A2A 1.0 and streams. Its tokens go through the bridge, execution, the link and verification to the local Slack, each zone a
  process as in production, on SQLite. Execution coalesces text every 60 ms.
- The assistant calls a model server with OpenAI's API. The AI SDK is part of it.
- Slack lets a workspace start 20 streams a minute. The other answers cross the wall as streams too, and reach Slack when they are complete.
- Through the wall: a reader takes the place of verification and reads the events of execution. The time is from the moment at which the
  source writes its first token.
- On a busy machine each process finds several tokens at once when its turn comes. That makes the relay cheaper, and the zones less so.
- CPU time is of all threads and of the kernel's work for the process, without the source, the readers and Slack.`,
    machineLine(machine, "zones and relays not bound to a core, with all others on both"),
    `## Goals\n\n${goals.map((goal) => `- ${goalLine(goal)}`).join("\n")}`,
    errors.length === 0 ? "" : `## Errors in the logs\n\n${["```", ...errors, "```"].join("\n")}`,
    `## CPU time, µs a token`,
    cpuTable(cpu),
    `## First token, ms after the source's own`,
    markdownTable(
      ["", "p50", "p99", "streams right"],
      [
        latencyRow("relay, two hops", first.relay, right.relay),
        latencyRow("**through the wall**", first.link, right.link),
      ],
    ),
    `## Final texts in Slack`,
    markdownTable(
      ["", "complete", "equal, byte for byte"],
      [
        ["an agent", String(slack.agent.done), String(slack.agent.right)],
        ["the assistant", String(slack.assistant.done), String(slack.assistant.right)],
      ],
    ),
    `## Memory of execution, MB

RSS each second while ${stalled} answers with tokens of 200 characters are read, and while ${stalled} readers stop reading after the first event. Growth is
from the median of the second third to that of the last.`,
    markdownTable(
      ["", "first", "most", "last", "growth"],
      [memoryRow("all are read", rss.reading), memoryRow(`**${stalled} stand still**`, rss.stalled)],
    ),
    causes,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** What a CPU profile (`--cpu-prof`) and the times of the statements said on a busy machine. */
const causes = `## Causes

- The first token most likely waits for its process. Each question is stored with a few commits, and a commit of SQLite holds the process until
  the disk has it. In one run on a busy disk, 1,226 commits of execution took 8.6 s.
- In a profile of a whole run, execution spends about a quarter of its samples on events of the agent, and a tenth on writing to the link.
- Memory rises and falls with the garbage collector, by more than 20 readers that stand still could add. What they add is the difference of
  the two rows.
- The statements that look for the next question and the next bus message take a few milliseconds each with 200 under way.`;

function cpuTable({ relay, agent, assistant }: StreamFigures["cpu"]): string {
  const row = (name: string, one: Cpu, [first, second]: readonly [string, string]): string[] => [
    name,
    ...(["steady", "whole"] as const).flatMap((when) => [
      (one[when][first] ?? Number.NaN).toFixed(1),
      (one[when][second] ?? Number.NaN).toFixed(1),
      (sumOf(one[when]) / sumOf(relay[when])).toFixed(2),
    ]),
  ];
  const zones = ["execution", "verification"] as const;
  return markdownTable(
    ["", "all stream: first hop", "second hop", "of the relay", "whole run: first hop", "second hop", "of the relay"],
    [
      row("relay: first, second hop", relay, ["first hop", "second hop"]),
      row("**an agent**: execution, verification", agent, zones),
      row("**the assistant**: execution, verification", assistant, zones),
    ],
  );
}

const latencyRow = (name: string, { p50, p99 }: Latency, right: number): string[] => [
  name,
  p50.toFixed(1),
  p99.toFixed(1),
  String(right),
];

const memoryRow = (name: string, rss: readonly number[]): string[] =>
  [rss[0] ?? Number.NaN, Math.max(...rss), rss.at(-1) ?? Number.NaN, growthOf(rss)].reduce<string[]>(
    (cells, value) => [...cells, value.toFixed(0)],
    [name],
  );
