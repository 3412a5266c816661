import { createTokenBuckets } from "@crosszone/service-kit";
import type { Clock } from "../clock.ts";
import type { AskRecord, InboxEntry, InboxRecord } from "../inbox/inbox.ts";
import type { ThreadStore } from "../inbox/thread-store.ts";
import type { SlackApi } from "../slack/slack-api.ts";
import { createMarkedMessages } from "../tasks/marked-messages.ts";
import type { Owe } from "../tasks/notices.ts";
import { DeniedError, mayAsk } from "./denial.ts";
import { denialSentence } from "./denial-sentences.ts";
import type { Judgement } from "./pipeline.ts";

export interface GateDeps {
  /** Judges a record by every rule. */
  readonly judge: (record: InboxRecord) => Promise<Judgement>;
  /** Judges a record that was judged before, by every rule but those that count. */
  readonly judgeAgain: (record: InboxRecord) => Promise<Judgement>;
  /** Judges only what may be known later than the record: its files. */
  readonly judgeFiles: (record: AskRecord) => Promise<Judgement>;
  readonly slack: Pick<SlackApi, "post" | "update" | "replies">;
  readonly threads: Pick<ThreadStore, "join" | "leave">;
  readonly clock: Clock;
  readonly owe: Owe;
}

type Handle<K extends InboxRecord["kind"]> = (entry: InboxEntry<K>, lease: AbortSignal) => Promise<void>;

export interface Gate {
  /**
   * Lets only what is allowed reach the flow; whoever is denied is told why, unless the denial is a silent one. Who may not ask
   * does not bring the app into a thread either, where it would answer what others say to each other.
   */
  readonly guard: <K extends InboxRecord["kind"]>(flow: Handle<K>) => Handle<K>;
  /** Rejects with a `DeniedError` when the files that were found for a question are too many or too large. */
  readonly admitFiles: (record: AskRecord) => Promise<void>;
}

/** How long it is tried to say of a denial in the place of a placeholder, milliseconds. */
const placeholderBudgetMs = 30_000;

/** Notices per person and minute. Further notices are dropped: Slack limits their rate for the whole workspace. */
const noticesPerMinute = 60;

/** Stands between the inbox and the flows. A record stays in the inbox until it was judged, and until what is said of it is owed. */
export function createGate(deps: GateDeps): Gate {
  const { judge, judgeAgain, judgeFiles, threads, owe } = deps;
  const notices = createTokenBuckets({ capacity: noticesPerMinute, perMinute: noticesPerMinute });

  return {
    guard: (flow) => async (entry, lease) => {
      const { record, attempt, progress } = entry;
      // With a placeholder or an answer it was allowed before: whoever waits there is owed the rest.
      const wasAllowed = progress.placeholder !== undefined || progress.answer !== undefined;
      const { denial } = wasAllowed ? {} : await (attempt > 1 ? judgeAgain : judge)(record);
      await (mayAsk(denial) ? threads.join(record) : threads.leave(record));
      if (denial === undefined) return flow(entry, lease);
      const text = denialSentence(denial, record.correlation_id);
      if (attempt > 1 && (await endPlaceholder(deps, record, { lease, text: text ?? "This is not answered." }))) return;
      if (text === undefined || notices.take(`${record.team_id} ${record.user_id}`) > 0) return;
      await owe(record, { to: "person", text });
    },
    admitFiles: async (record) => {
      const { denial } = await judgeFiles(record);
      if (denial !== undefined) throw new DeniedError(denial);
    },
  };
}

/** A worker that died may have allowed the question and said that it is being worked on: that message must not say so for ever. */
async function endPlaceholder(
  { slack, clock }: Pick<GateDeps, "slack" | "clock">,
  record: InboxRecord,
  { lease, text }: { readonly lease: AbortSignal; readonly text: string },
): Promise<boolean> {
  const { channel, thread_ts, request_id, correlation_id } = record;
  const after = record.kind === "ask" ? record.ts : undefined;
  const messages = createMarkedMessages({ slack, clock, thread: { channel, thread_ts, after }, leave: lease });
  const mark = { request_id, correlation_id, state: "failed" as const };
  const found = await messages.find(mark);
  if (found?.mark?.state === "working")
    await messages.replace(found.ts, { message: { text, mark }, budgetMs: placeholderBudgetMs, doubtful: true });
  return found !== undefined;
}
