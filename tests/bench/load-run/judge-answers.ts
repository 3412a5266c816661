import { createHistogram } from "node:perf_hooks";
import type { MentionOutcome } from "./mentions.ts";
import { latenciesOf, type TallyRow } from "./tally.ts";

/** What happened to the mentions, seen in the local Slack. Latencies in milliseconds, from when the mention was due until its answer stood there. */
export interface AnswerFigures {
  mentions: number;
  /** Have exactly one message in their thread, which is the right answer. */
  right: number;
  unanswered: number;
  moreThanOnce: number;
  wrong: number;
  latency: Pick<TallyRow, "p50" | "p99" | "max">;
}

/** Judges by the mentions' places: the n-th outcome and the n-th time belong to the same mention. Times in Unix milliseconds. */
export function judgeAnswers(outcomes: readonly MentionOutcome[], dueTimes: readonly number[]): AnswerFigures {
  const latency = createHistogram();
  for (const [n, { answeredAt }] of outcomes.entries()) {
    const dueAt = dueTimes[n];
    if (answeredAt !== undefined && dueAt !== undefined)
      latency.record(Math.max(1, Math.round((answeredAt - dueAt) * 1_000)));
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
