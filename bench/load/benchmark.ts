import { defineBenchmark, type Scale } from "../kit/benchmark.ts";
import { fixed, megabytes, paragraphs, tableSection } from "../kit/markdown.ts";
import { sum } from "../kit/statistics.ts";
import { mostLagMs, type Usage } from "../kit/usage.ts";
import { mentionsIn, runLoad, type LoadFigures, type LoadOptions } from "./run-load.ts";
import type { TallyRow } from "./tally.ts";

const optionsOf = ({ isQuick }: Scale): LoadOptions =>
  isQuick ? { rate: 100, seconds: 5, warmUpSeconds: 2 } : { rate: 500, seconds: 60, warmUpSeconds: 10 };

export const load = defineBenchmark({
  title: "Both zones under load",
  measure: (scale, progress) => runLoad(optionsOf(scale), progress),
  render: (figures, scale) => renderLoad(figures, optionsOf(scale)),
  isBroken: (figures) => !isFlawless(figures),
});

/** Whether every answer was deserved, every mention was answered once, and no zone complained. */
export const isFlawless = ({ rows, warmUp, answers, complaints }: LoadFigures): boolean =>
  undeservedOf(rows) + warmUp.undeserved === 0 && answers.right === answers.mentions && complaints.length === 0;

const undeservedOf = (rows: readonly TallyRow[]): number => sum(rows.map(({ undeserved }) => undeserved));

function renderLoad(figures: LoadFigures, options: LoadOptions): string {
  const { rate, seconds, warmUpSeconds } = options;
  const { rows, warmUp, answers, complaints, queue } = figures;
  const lag = figures.readings.at(-1)?.reading.get("load")?.lag ?? Number.NaN;
  return paragraphs(
    `${rate} requests a second for ${seconds} s, after ${warmUpSeconds} s of warm-up, at even distances. A latency counts from the moment at which the request was due.
Half of the requests go to verification, half to execution; every answer is checked.

Both zones are processes as in production, with raised limits for one sender; the local Slack doesn't apply Slack's limit of \`chat.update\`.
${mentionsIn(options)} of the ${rate} are new mentions, each delivered three times, and go the whole way to the answer in the thread.`,
    `- Requests: ${sum(rows.map(({ requests }) => requests))} measured, ${warmUp.requests} in the warm-up; answered wrongly: **${undeservedOf(rows) + warmUp.undeserved}**
- Mentions: ${answers.mentions}; answered once and right: **${answers.right}**; not at all: ${answers.unanswered}; more than once: ${answers.moreThanOnce}; wrong: ${answers.wrong}
- From the mention to its answer in Slack: p50 ${ms(answers.latency.p50)} ms, p99 ${ms(answers.latency.p99)} ms, longest ${ms(answers.latency.max)} ms
- The latest timer of the sender in the same time: ${ms(lag)} ms late${lag > mostLagMs ? ". **The machine did not get to its work: times of this run mean nothing.**" : ""}
- Connections that waited to be accepted by verification: at most ${queue?.longest ?? "unknown"} at once; dropped: ${queue?.overflows ?? "unknown"}`,
    complaints.length === 0 ? "" : ["**Complaints**", "", "```", ...complaints, "```"].join("\n"),
    ...(["verification", "execution"] as const).map((zone) =>
      tableSection({
        title: `Requests to ${zone}`,
        rows: rows.filter(({ kind }) => kind.zone === zone),
        columns: [
          ["request", ({ kind }) => kind.name],
          ["expected", ({ kind }) => kind.deserves],
          ["wrong", ({ undeserved }) => String(undeserved)],
          ["p50 ms", ({ p50 }) => ms(p50)],
          ["p99 ms", ({ p99 }) => ms(p99)],
        ],
      }),
    ),
    usageSection(figures),
  );
}

function usageSection({ readings, measuredSeconds }: LoadFigures): string {
  const nothing: Usage = { rss: 0, heap: 0, cpu: 0, thread: 0, lag: 0 };
  const used = (name: string): number => usage(2, name).cpu - usage(1, name).cpu;
  const usage = (at: number, name: string): Usage => readings[at]?.reading.get(name) ?? nothing;
  return tableSection({
    title: "Processes under load",
    rows: [...(readings[0]?.reading.keys() ?? [])],
    columns: [
      ["process", (name) => name],
      ...readings.map((reading, at) => {
        const memory = (name: string): string =>
          `${megabytes(usage(at, name).rss)} / ${megabytes(usage(at, name).heap)}`;
        return [`RSS / heap MB ${reading.name}`, memory] as const;
      }),
      ["CPU", (name) => `${fixed((used(name) / measuredSeconds) * 100, 0)} % of a core`],
      ["latest timer, ms late", (name) => ms(usage(2, name).lag)],
    ],
  });
}

const ms = (value: number): string => value.toFixed(value < 100 ? 1 : 0);
