import { estimateTokens } from "../usage/estimate-tokens.ts";
import { coveredUntil, type DatedMessage } from "./covered-messages.ts";
import type { ThreadSummary } from "./thread-memory.ts";

/** Messages that are not summarised yet become due together: when they have half of the tokens, or are so many. */
const mostFresh = 100;

/** Of those the newest stay: a quarter of the tokens, or so many. */
const keptFresh = 25;

export interface DueOptions {
  readonly summary: ThreadSummary | undefined;
  /** How many tokens the thread may have, by estimate. */
  readonly mostTokens: number;
}

/**
 * Returns the messages that have to be summarised, oldest first. They are due before they no longer fit: verification sends the thread's first
 * message and its newest, so what is left out of the next question was seen in this one.
 */
export function dueMessages(thread: readonly DatedMessage[], { summary, mostTokens }: DueOptions): DatedMessage[] {
  const last = coveredUntil(summary);
  const fresh = thread.filter(({ ts }) => Number(ts) > last);
  const tokens = fresh.map(({ text }) => estimateTokens(text));
  const total = tokens.reduce((sum, one) => sum + one, 0);
  if (fresh.length <= mostFresh && total <= mostTokens / 2) return [];
  let room = mostTokens / 4;
  const kept = tokens.toReversed().findIndex((one, index) => index === keptFresh || (room -= one) < 0);
  return kept === -1 ? [] : fresh.slice(0, fresh.length - kept);
}
