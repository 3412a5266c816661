import { createTokenBuckets } from "@crosszone/service-kit";
import type { Clock } from "../clock.ts";
import type { AskRecord, InboxEntry, InboxRecord } from "../inbox/inbox.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import type { SlackApi } from "../slack/slack-api.ts";
import { createMarkedMessages, type MarkedMessages } from "../tasks/marked-messages.ts";
import { retrying } from "../tasks/retry.ts";
import { slackRetryAfter } from "../tasks/retry-after.ts";
import { DeniedError, mayAsk, type Denial } from "./denial.ts";
import { denialSentence } from "./denial-sentences.ts";
import type { Judgement } from "./pipeline.ts";

export interface GateDeps {
  /** Judges a record by every rule. */
  readonly judge: (record: InboxRecord) => Promise<Judgement>;
  /** Judges only what may be known later than the record: its files. */
  readonly judgeFiles: (record: AskRecord) => Promise<Judgement>;
  readonly slack: Pick<SlackApi, "tell" | "post" | "update" | "replies">;
  readonly threads: Pick<ThreadStore, "join" | "leave">;
  readonly clock: Clock;
  /** Takes over work that nobody waits for; it never rejects. */
  readonly background: (work: Promise<void>) => void;
  /** Told when a person could not be told of a denial. */
  readonly onNoticeLost: (error: unknown, record: InboxRecord) => void;
}

export interface Gate {
  /**
   * Lets only what is allowed reach the flow; whoever is denied is told why, unless the denial is a silent one. Who may not ask
   * does not bring the app into a thread either, where it would answer what others say to each other.
   */
  readonly guard: <K extends InboxRecord["kind"]>(
    flow: (entry: InboxEntry<K>) => Promise<void>,
  ) => (entry: InboxEntry<K>) => Promise<void>;
  /** Rejects with a `DeniedError` when the files that were found for a question are too many or too large. */
  readonly admitFiles: (record: AskRecord) => Promise<void>;
}

/** How long it is tried to tell a person of a denial. */
const noticeBudgetMs = 30_000;

/** How often one person is told in a minute. Who goes on meets silence: Slack's own limit for such messages is there for everybody. */
const noticesPerMinute = 10;

/** Stands between the inbox and the flows. A record stays in the inbox until it was judged. */
export function createGate(deps: GateDeps): Gate {
  const { judge, judgeFiles, slack, threads, clock, background, onNoticeLost } = deps;
  const messages = createMarkedMessages({ slack, clock });
  const notices = createTokenBuckets({ capacity: noticesPerMinute, perMinute: noticesPerMinute });

  return {
    guard: (flow) => async (entry) => {
      // With a placeholder it was allowed before: whoever waits there is owed an answer.
      const { denial } = entry.progress.placeholder === undefined ? await judge(entry.record) : {};
      const { record, attempt } = entry;
      await (mayAsk(denial) ? threads.join(record) : threads.leave(record));
      if (denial === undefined) return flow(entry);
      background(tell(record, { denial, attempt }).catch((error: unknown) => onNoticeLost(error, record)));
    },
    admitFiles: async (record) => {
      const { denial } = await judgeFiles(record);
      if (denial !== undefined) throw new DeniedError(denial);
    },
  };

  async function tell(
    record: InboxRecord,
    { denial, attempt }: { readonly denial: Denial; readonly attempt: number },
  ): Promise<void> {
    const text = denialSentence(denial, record.correlation_id);
    if (attempt > 1 && (await endPlaceholder(messages, record, text ?? "This is not answered."))) return;
    if (text === undefined || notices.take(`${record.team_id} ${record.user_id}`) > 0) return;
    await retrying(() => slack.tell(record, text), {
      budgetMs: noticeBudgetMs,
      firstMs: 1_000,
      longestMs: 10_000,
      clock,
      retryAfter: slackRetryAfter,
    });
  }
}

/** A worker that died may have allowed the question and said that it is being worked on: that message must not say so for ever. */
async function endPlaceholder(messages: MarkedMessages, record: InboxRecord, text: string): Promise<boolean> {
  const { request_id, correlation_id } = record;
  const mark = { request_id, correlation_id, state: "failed" as const };
  const found = await messages.find(record, mark);
  if (found?.mark?.state === "working")
    await messages.replace(found.ts, {
      thread: record,
      message: { text, mark },
      budgetMs: noticeBudgetMs,
      doubtful: false,
    });
  return found !== undefined;
}
