import { estimateTokens } from "../usage/estimate-tokens.ts";
import { coveredUntil, type DatedMessage } from "./covered-messages.ts";
import type { ThreadSummary } from "./thread-memory.ts";

/** Unsummarized messages become due together: at half of the tokens, or at this number. */
const mostFresh = 100;

/** The newest of them stay in full: a quarter of the tokens, or this number. */
const keptFresh = 25;

export interface DueOptions {
  readonly summary: ThreadSummary | undefined;
  /** Most tokens of the thread, estimated. */
  readonly mostTokens: number;
}

/**
 * Returns the messages to summarize, oldest first. They become due before the thread is too long: verification sends
 * only the first and the newest messages, so this question may be the last that contains them.
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
