import { defineBenchmark, type Progress, type Scale } from "../kit/benchmark.ts";
import { fixed, megabytes, paragraphs, tableSection } from "../kit/markdown.ts";
import { inRounds } from "../kit/rounds.ts";
import { type InRound, median, pairedRatio, sum } from "../kit/statistics.ts";
import { mostLagMs, type Usage } from "../kit/usage.ts";
import { type Answerer, mentionsIn, runLoad, type LoadFigures, type LoadOptions } from "./run-load.ts";
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
const isFlawless = ({ rows, warmUp, answers, complaints }: LoadFigures): boolean =>
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

const answerers = ["verification", "peer"] as const;
const names: Readonly<Record<Answerer, string>> = { verification: "**verification**", peer: "Bolt alone" };

/** A run of one of them, from its cold start. Times in milliseconds. */
interface MentionSample extends InRound {
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

function renderMentions(samples: readonly MentionSample[], { mentions, seconds }: ReturnType<typeof planOf>): string {
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
