import { createHistogram, type RecordableHistogram } from "node:perf_hooks";
import { sum } from "../kit/statistics.ts";
import type { Kind, LoadAnswer } from "./kinds.ts";
import type { MentionOutcome } from "./slack-worker.ts";

/** All requests of one kind. Latencies in milliseconds. */
export interface TallyRow extends Latency {
  readonly kind: Kind;
  readonly requests: number;
  readonly undeserved: number;
}

interface Latency {
  readonly p50: number;
  readonly p99: number;
  readonly max: number;
}

/** Counts by kind. Latencies go into Node's own HDR histogram, three digits exact: nothing is sampled, and no library is needed. */
export function createTally(kinds: readonly Kind[]) {
  const examples: string[] = [];
  const counts = new Map(kinds.map((kind) => [kind, { undeserved: 0, latency: createHistogram() }]));
  return {
    add: (kind: Kind, { answer, isRight, ms }: { answer: LoadAnswer; isRight: boolean; ms: number }): void => {
      const row = counts.get(kind);
      if (row === undefined) throw new TypeError(`unknown kind ${kind.name}`);
      record(row.latency, ms);
      if (isRight) return;
      row.undeserved += 1;
      if (examples.length < 10)
        examples.push(`${kind.zone}, ${kind.name}: ${answer.status} ${answer.body.slice(0, 200)}`);
    },
    rows: (): TallyRow[] =>
      [...counts].map(([kind, { undeserved, latency }]) => ({
        kind,
        undeserved,
        requests: latency.count,
        ...latenciesOf(latency),
      })),
    /** Over all kinds. */
    totals: () => {
      const all = [...counts.values()];
      return {
        requests: sum(all.map(({ latency }) => latency.count)),
        undeserved: sum(all.map(({ undeserved }) => undeserved)),
      };
    },
    /** The first undeserved answers, for a person to read. */
    examples: (): readonly string[] => examples,
  };
}

export type Tally = ReturnType<typeof createTally>;

const record = (latency: RecordableHistogram, ms: number): void => latency.record(Math.max(1, Math.round(ms * 1_000)));

/** Milliseconds of a histogram of microseconds. */
function latenciesOf(latency: RecordableHistogram): Latency {
  return { p50: latency.percentile(50) / 1_000, p99: latency.percentile(99) / 1_000, max: latency.max / 1_000 };
}

/** What happened to the mentions in the local Slack. Latencies in milliseconds, from the time at which a mention was due until its answer. */
export interface AnswerFigures {
  readonly mentions: number;
  /** Have exactly one message in their thread, which is the right answer. */
  readonly right: number;
  readonly unanswered: number;
  readonly moreThanOnce: number;
  readonly wrong: number;
  readonly latency: Latency;
}

/** Judges by the mentions' places: the n-th outcome and the n-th time belong to the same mention. Times in Unix milliseconds. */
export function judgeAnswers(outcomes: readonly MentionOutcome[], dueTimes: readonly number[]): AnswerFigures {
  const latency = createHistogram();
  for (const [n, { answeredAt }] of outcomes.entries()) {
    const dueAt = dueTimes[n];
    if (answeredAt !== undefined && dueAt !== undefined) record(latency, answeredAt - dueAt);
  }
  const count = (is: (outcome: MentionOutcome) => boolean): number => outcomes.filter(is).length;
  return {
    mentions: outcomes.length,
    right: count(({ messages, right }) => messages === 1 && right),
    unanswered: count(({ messages }) => messages === 0),
    moreThanOnce: count(({ messages }) => messages > 1),
    wrong: count(({ messages, right }) => messages === 1 && !right),
    latency: latenciesOf(latency),
  };
}
