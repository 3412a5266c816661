import { defineBenchmark } from "../kit/benchmark.ts";
import { fixed, paragraphs, tableSection } from "../kit/markdown.ts";
import { sum } from "../kit/statistics.ts";
import { measureStreams, type Cpu, type StreamFigures } from "./measure.ts";
import { fullPlan, quickPlan, tokensPerSecond, type Plan } from "./streams.ts";

export const stream = defineBenchmark({
  title: "Streaming",
  measure: ({ isQuick }, progress) => measureStreams(isQuick ? quickPlan : fullPlan, progress),
  render: (figures, { isQuick }) => renderStreams(figures, isQuick ? quickPlan : fullPlan),
  isBroken: ({ slack }) => slack.agent.wrong !== undefined || slack.assistant.wrong !== undefined,
});

const sumOf = (cpu: Cpu["steady"]): number => sum(Object.values(cpu));

const about = ({
  streams,
  seconds,
  everyMs,
}: Plan): string => `${streams} questions, one each ${everyMs} ms. Each answer is ${tokensPerSecond} tokens a second for ${seconds} s, each token an event of its own.

- **The relay** is the limit: two processes of bare \`node:http\` that pass bytes on.
- **The agent** speaks A2A 1.0. Its tokens go through both zones, each a process on SQLite, to the local Slack. **The assistant** calls a model
  server with OpenAI's API.
- Slack lets a workspace start 20 streams a minute. The other answers reach Slack when they are complete.
- **Through the wall**, a reader takes the place of verification.`;

function renderStreams(figures: StreamFigures, plan: Plan): string {
  const { streams } = plan;
  const { cpu, slack, first, right, errors } = figures;
  const peers = [
    { name: "relay: first, second hop", cpu: cpu.relay, hops: ["first hop", "second hop"] },
    { name: "**an agent**: execution, verification", cpu: cpu.agent, hops: ["execution", "verification"] },
    { name: "**the assistant**: execution, verification", cpu: cpu.assistant, hops: ["execution", "verification"] },
  ] as const;
  return paragraphs(
    about(plan),
    errors.length === 0 ? "" : ["**Errors in the logs**", "", "```", ...errors, "```"].join("\n"),
    tableSection({
      title: "CPU time, µs a token",
      text: "While all stream, and in the whole run with questions and answers.",
      rows: peers,
      columns: [
        ["", ({ name }) => name],
        ...(["steady", "whole"] as const).flatMap((when) => {
          const title = when === "steady" ? "all stream" : "whole run";
          type Row = (typeof peers)[number];
          return [
            [`${title}: first`, (row: Row) => fixed(row.cpu[when][row.hops[0]], 1)],
            ["second", (row: Row) => fixed(row.cpu[when][row.hops[1]], 1)],
            ["of the relay", (row: Row) => fixed(sumOf(row.cpu[when]) / sumOf(cpu.relay[when]), 2)],
          ] as const;
        }),
      ],
    }),
    tableSection({
      title: "First token, ms after the source's own",
      rows: [
        { name: "relay, two hops", ...first.relay, right: right.relay },
        { name: "**through the wall**", ...first.link, right: right.link },
      ],
      columns: [
        ["", ({ name }) => name],
        ["p50", ({ p50 }) => fixed(p50, 1)],
        ["p99", ({ p99 }) => fixed(p99, 1)],
        ["streams right", (row) => `${row.right} of ${streams}`],
      ],
    }),
    `Final texts in Slack, equal byte for byte: ${slack.agent.right} of ${streams} of the agent, ${slack.assistant.right} of ${streams} of the assistant.`,
  );
}
