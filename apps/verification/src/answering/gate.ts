import { createTokenBuckets } from "@crosszone/service-kit";
import type { InboxRecord } from "../inbox/records.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import type { Answering, Flow } from "./questions/attempt.ts";
import { createMarkedMessages } from "./posting/marked-messages.ts";
import { denialSentence, mayAsk } from "../policy/denials.ts";
import type { Judgment } from "../policy/policies.ts";

/** How the gate judges, and where it notes that a person has brought the app into a thread. */
interface GateRules {
  readonly judge: (record: InboxRecord) => Promise<Judgment>;
  /** Applies every rule except the rate limits, for a record that was judged before. */
  readonly judgeRetry: (record: InboxRecord) => Promise<Judgment>;
  readonly threads: ThreadStore;
}

/** How long posting a denial in the place of a placeholder is retried, milliseconds. */
const placeholderBudgetMs = 30_000;

/** Notices per person and minute. Further notices are dropped: Slack limits their rate for the whole workspace. */
const noticesPerMinute = 60;

/**
 * Makes the gate between the inbox and the flows, which passes only allowed records. A denied author gets the reason, unless the denial is
 * silent. A denied message does not bring the app into its thread, where it would answer other people's replies. A record stays in the inbox
 * until it is judged and its notice, if any, is enqueued.
 */
export function createGate(
  { workspace, clock, enqueueNotice }: Answering,
  { judge, judgeRetry, threads }: GateRules,
): <K extends InboxRecord["kind"]>(flow: Flow<K>) => Flow<K> {
  const notices = createTokenBuckets({ capacity: noticesPerMinute, perMinute: noticesPerMinute });

  return (flow) => async (leased, lease) => {
    const { record, attempt, progress } = leased;
    // A record with a placeholder or an answer was allowed before, so its requester gets the rest.
    const wasAllowed = progress.placeholder !== undefined || progress.answer !== undefined;
    const judgment: Partial<Judgment> = wasAllowed ? {} : await (attempt > 1 ? judgeRetry : judge)(record);
    const { denial, cause } = judgment;
    // An earlier attempt may have been allowed: what it shows must get its end. So this record waits for the rules.
    if (attempt > 1 && denial?.reason === "check_failed") throw cause;
    // The answer to a question joins its thread; an attempt after the first may have its answer from before.
    const joinsWithAnswer = record.kind === "ask" && attempt === 1 && denial === undefined;
    if (mayAsk(denial) && !joinsWithAnswer) await threads.join(record);
    if (denial === undefined) return flow(leased, lease);
    const text = denialSentence(denial, record.correlation_id);
    if (attempt > 1 && (await endPlaceholder(record, lease, text ?? "This question will not be answered."))) return;
    if (text === undefined || notices.take(`${record.team_id} ${record.user_id}`) > 0) return;
    await enqueueNotice(record, { to: "person", text });
  };

  /** A crashed worker may have allowed the question and posted a placeholder, which must not stay there. */
  async function endPlaceholder(record: InboxRecord, leave: AbortSignal, text: string): Promise<boolean> {
    const { channel, thread_ts, request_id, correlation_id } = record;
    const after = record.kind === "ask" ? record.ts : undefined;
    const messages = createMarkedMessages({
      slack: workspace.slack,
      clock,
      thread: { channel, thread_ts, after },
      leave,
    });
    const mark = { request_id, correlation_id, state: "failed" as const };
    const found = await messages.find(mark);
    if (found?.mark?.state === "working")
      await messages.replace(found.ts, { message: { text, mark }, budgetMs: placeholderBudgetMs, doubtful: true });
    return found !== undefined;
  }
}
