import type { Findings } from "../kit/benchmark.ts";
import { goalList } from "../kit/goals.ts";
import { machineLine } from "../kit/machine.ts";
import { fixed, page, section, table } from "../kit/markdown.ts";
import { growthOf, sumOf } from "./goals.ts";
import type { Cpu } from "./measure-cpu.ts";
import type { StreamFigures } from "./measure.ts";
import { tokensPerSecond, type Plan } from "./streams.ts";

/** Writes the findings as Markdown: the page `docs/bench-stream.md`. */
export function renderStreamReport({ machine, plan, figures, goals }: Findings<Plan, StreamFigures>): string {
  const { streams, seconds, everyMs, stalled } = plan;
  const { cpu, slack, first, right, rss, errors } = figures;
  return page([
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
    section("Goals", goalList(goals)),
    errors.length === 0 ? "" : section("Errors in the logs", ["```", ...errors, "```"].join("\n")),
    section("CPU time, µs a token", cpuTable(cpu)),
    section(
      "First token, ms after the source's own",
      table(
        [
          { name: "relay, two hops", ...first.relay, right: right.relay },
          { name: "**through the wall**", ...first.link, right: right.link },
        ],
        [
          ["", ({ name }) => name],
          ["p50", ({ p50 }) => fixed(p50, 1)],
          ["p99", ({ p99 }) => fixed(p99, 1)],
          ["streams right", (row) => String(row.right)],
        ],
      ),
    ),
    section(
      "Final texts in Slack",
      table(
        [
          { name: "an agent", ...slack.agent },
          { name: "the assistant", ...slack.assistant },
        ],
        [
          ["", ({ name }) => name],
          ["complete", ({ done }) => String(done)],
          ["equal, byte for byte", (row) => String(row.right)],
        ],
      ),
    ),
    section(
      "Memory of execution, MB",
      `RSS each second while ${stalled} answers with tokens of 200 characters are read, and while ${stalled} readers stop reading after the first event. Growth is
from the median of the second third to that of the last.`,
      memoryTable(rss, stalled),
    ),
    causes,
  ]);
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
  type When = "steady" | "whole";
  const zones = ["execution", "verification"] as const;
  const rows: readonly { name: string; cpu: Cpu; hops: readonly [string, string] }[] = [
    { name: "relay: first, second hop", cpu: relay, hops: ["first hop", "second hop"] },
    { name: "**an agent**: execution, verification", cpu: agent, hops: zones },
    { name: "**the assistant**: execution, verification", cpu: assistant, hops: zones },
  ];
  type Row = (typeof rows)[number];
  const hop =
    (when: When, at: 0 | 1) =>
    ({ cpu, hops }: Row): string =>
      fixed(cpu[when][hops[at]] ?? Number.NaN, 1);
  const ofRelay =
    (when: When) =>
    ({ cpu }: Row): string =>
      fixed(sumOf(cpu[when]) / sumOf(relay[when]), 2);
  return table(rows, [
    ["", ({ name }) => name],
    ["all stream: first hop", hop("steady", 0)],
    ["second hop", hop("steady", 1)],
    ["of the relay", ofRelay("steady")],
    ["whole run: first hop", hop("whole", 0)],
    ["second hop", hop("whole", 1)],
    ["of the relay", ofRelay("whole")],
  ]);
}

const memoryTable = ({ reading, stalled }: StreamFigures["rss"], count: number): string =>
  table(
    [
      { name: "all are read", rss: reading },
      { name: `**${count} stand still**`, rss: stalled },
    ],
    [
      ["", ({ name }) => name],
      ["first", ({ rss }) => fixed(rss[0] ?? Number.NaN, 0)],
      ["most", ({ rss }) => fixed(Math.max(...rss), 0)],
      ["last", ({ rss }) => fixed(rss.at(-1) ?? Number.NaN, 0)],
      ["growth", ({ rss }) => fixed(growthOf(rss), 0)],
    ],
  );
