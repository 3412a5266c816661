import { defineBenchmark, type Progress, type Scale } from "../kit/benchmark.ts";
import { fixed, paragraphs, tableSection } from "../kit/markdown.ts";
import { inRounds } from "../kit/rounds.ts";
import { type InRound, median, pairedRatio, sum } from "../kit/statistics.ts";
import { mostLagMs, type Usage } from "../kit/usage.ts";
import { isFlawless } from "./benchmark.ts";
import { type Answerer, runLoad } from "./run-load.ts";

const answerers = ["verification", "peer"] as const;
const names: Readonly<Record<Answerer, string>> = { verification: "**verification**", peer: "Bolt alone" };

/** A run of one of them, from its cold start. Times in milliseconds. */
export interface MentionSample extends InRound {
  readonly answerer: Answerer;
  /** Time of its main thread for a mention, which is delivered three times. */
  readonly thread: number;
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
  readonly dropped: number;
  /** How late the latest timer of the load was. */
  readonly lag: number;
  readonly isRight: boolean;
}

/** How often a run is tried whose times mean nothing. */
const mostTries = 3;

const planOf = ({ isQuick, mentions = 100 }: Scale) => ({ mentions, seconds: isQuick ? 10 : 30 });

export const mention = defineBenchmark<readonly MentionSample[]>({
  title: "A mention beside a bare Bolt app",
  measure: (scale, progress) =>
    inRounds({ rounds: scale.rounds, of: answerers, progress }, (answerer, round) =>
      measureInTime(scale, { answerer, round }, progress),
    ),
  render: (samples, scale) => renderMentions(samples, planOf(scale)),
  isBroken: (samples) => samples.some(({ isRight }) => !isRight),
});

type Subject = Pick<MentionSample, "answerer" | "round">;

/** Measures until the timers of the load were in time. */
async function measureInTime(scale: Scale, subject: Subject, progress: Progress): Promise<MentionSample[]> {
  const tried: MentionSample[] = [];
  while (tried.length < mostTries) {
    const sample = await measureOnce(scale, subject, progress);
    tried.push(sample);
    if (sample.lag <= mostLagMs) break;
    progress(` (void: a timer of the load was ${fixed(sample.lag, 0)} ms late)\n`);
  }
  return tried;
}

async function measureOnce(scale: Scale, subject: Subject, progress: Progress): Promise<MentionSample> {
  const { mentions, seconds } = planOf(scale);
  const options = { rate: 3 * mentions, seconds, warmUpSeconds: 0, mentionsTo: subject.answerer };
  const figures = await runLoad(options, progress);
  const [, from, to] = figures.readings.map(
    ({ reading }) =>
      (name: string) =>
        reading.get(name) as Usage,
  );
  const threadOf = (usage = from): number => usage?.(subject.answerer).thread ?? Number.NaN;
  return {
    ...subject,
    ...figures.answers.latency,
    thread: ((threadOf(to) - threadOf(from)) / figures.answers.mentions) * 1_000,
    dropped: figures.queue?.overflows ?? Number.NaN,
    lag: to?.("load").lag ?? Number.NaN,
    isRight: isFlawless(figures),
  };
}

export function renderMentions(
  samples: readonly MentionSample[],
  { mentions, seconds }: ReturnType<typeof planOf>,
): string {
  const counting = samples.filter(({ lag }) => lag <= mostLagMs);
  const of = (answerer: Answerer): MentionSample[] => counting.filter((sample) => sample.answerer === answerer);
  const figure = (name: "thread" | "p50" | "p99" | "max", digits: number) => (answerer: Answerer) =>
    fixed(median(of(answerer).map((sample) => sample[name])), digits);
  const ratio = (name: "thread" | "p99") => (answerer: Answerer) =>
    fixed(
      pairedRatio([of(answerer), of("peer")], (sample) => sample[name]),
      2,
    );
  const voided = samples.length - counting.length;
  const wrong = samples.filter(({ isRight }) => !isRight).length;
  return paragraphs(
    `${mentions} new mentions a second for ${seconds} s to a process that has just started, each delivered three times. A latency counts from when the first
delivery was due to the answer in the local Slack.`,
    `- **Bolt alone** is Bolt 5 as its documentation shows it, on the same execution zone: the ids of events in a set, one \`execute_task\` by \`fetch\`, one
  \`chat.postMessage\`. It keeps nothing, asks for no permission, and a crash loses its questions.
- Runs that were void because a timer of the load was more than ${mostLagMs} ms late: ${voided}. Runs with a wrong or missing answer: ${wrong}.`,
    tableSection({
      title: "Mention to answer",
      rows: answerers.filter((answerer) => of(answerer).length > 0),
      columns: [
        ["", (answerer) => names[answerer]],
        ["thread ms a mention", figure("thread", 2)],
        ["of Bolt alone", ratio("thread")],
        ["p50 ms", figure("p50", 1)],
        ["p99 ms", figure("p99", 0)],
        ["of Bolt alone", ratio("p99")],
        ["longest ms", figure("max", 0)],
        ["connections dropped", (answerer) => String(sum(of(answerer).map(({ dropped }) => dropped)))],
      ],
    }),
  );
}
