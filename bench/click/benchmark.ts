import { type Engine, engineNames, engines } from "../jobs/jobs.ts";
import { defineBenchmark, type Scale } from "../kit/benchmark.ts";
import { fixed, paragraphs, tableSection } from "../kit/markdown.ts";
import { median, type Spread, sum } from "../kit/statistics.ts";
import { type ClickPlan, type ClickSample, measureClicks } from "./measure.ts";

/** The promise: the p99 of clicks beside load is at most this many times that of clicks alone. */
const mostTimes = 3;

const planOf = ({ rounds, isQuick, mentions = 50 }: Scale): ClickPlan => ({
  rounds,
  clicks: isQuick ? 20 : 100,
  clicksPerSecond: 5,
  mentionsPerSecond: mentions,
});

const timesOf = ({ alone, beside }: Pick<ClickSample, "alone" | "beside">): number => beside.p99 / alone.p99;

export const click = defineBenchmark({
  title: "A click beside load",
  measure: (scale, progress) => measureClicks(planOf(scale), progress),
  render: (samples, scale) => renderClicks(samples, planOf(scale)),
  isBroken: (samples) => samples.some(({ complaints, mentions, right }) => complaints.length > 0 || right < mentions),
});

function renderClicks(
  samples: readonly ClickSample[],
  { clicks, clicksPerSecond, mentionsPerSecond }: ClickPlan,
): string {
  const of = (engine: Engine): ClickSample[] => samples.filter((sample) => sample.engine === engine);
  const middle = (engine: Engine, figure: (sample: ClickSample) => number): number => median(of(engine).map(figure));
  const spread = (phase: "alone" | "beside", part: keyof Spread) => (engine: Engine) =>
    fixed(
      middle(engine, (sample) => sample[phase][part]),
      0,
    );
  const total = (figure: (sample: ClickSample) => number) => (engine: Engine) => String(sum(of(engine).map(figure)));
  const complaints = samples.flatMap((sample) => sample.complaints);
  return paragraphs(
    `From the press of **Approve** on a card in the local Slack until the card is the receipt. ${clicksPerSecond} presses a second, on the cards of workflow runs that
wait for a person. A latency counts from when a press was due; a press that is not acknowledged (a warning sign) is repeated. ${clicks} presses alone and
as many beside ${mentionsPerSecond} new mentions a second, each delivered three times. The p99 beside the mentions should be at most ${mostTimes} times the p99 alone.`,
    tableSection({
      title: "Press to receipt",
      rows: engineNames.filter((engine) => of(engine).length > 0),
      columns: [
        ["", (engine) => engines[engine]],
        ["alone p50 ms", spread("alone", "p50")],
        ["p99 ms", spread("alone", "p99")],
        ["beside p50 ms", spread("beside", "p50")],
        ["p99 ms", spread("beside", "p99")],
        ["times the p99", (engine) => fixed(middle(engine, timesOf), 2)],
        [
          "in each round",
          (engine) =>
            of(engine)
              .map((sample) => fixed(timesOf(sample), 2))
              .join(", "),
        ],
        ["warnings", total(({ warnings }) => warnings)],
        ["mentions", total(({ mentions }) => mentions)],
        ["answered right", total(({ right }) => right)],
        [
          "load average",
          (engine) =>
            of(engine)
              .map(({ loadAverage }) => fixed(loadAverage, 1))
              .join(", "),
        ],
      ],
    }),
    complaints.length === 0 ? "" : ["**Complaints**", "", "```", ...complaints, "```"].join("\n"),
  );
}
