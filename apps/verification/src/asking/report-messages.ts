import type { MessageRecord } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { VerificationEvent } from "@crosszone/telemetry";
import type { Inbox } from "../inbox/inbox.ts";
import { keepPolling, type ZoneLink } from "../link/zone-link.ts";
import { namesIn } from "../slack/notation.ts";
import type { Workspaces } from "../workspaces/workspaces.ts";
import type { MessageEnds } from "./message-ends.ts";

interface ReportDeps {
  readonly link: ZoneLink;
  readonly inbox: Inbox;
  readonly messages: MessageEnds;
  readonly findWorkspace: Workspaces["find"];
  readonly emit: Emit<VerificationEvent>;
  /** Ends it. */
  readonly stopping: AbortSignal;
}

/** Messages of one report. */
const most = 100;

/** The age of a question that is reported as open, milliseconds. Most have ended by then. */
const openAfterMs = 2_000;

/** Pauses after a report: when it had all that there was, and when there was more. Answers need the link too. Milliseconds. */
const [quietMs, newsMs] = [1_000, 250];

/** How often execution is asked for acts while a message is parked and nothing is to report, milliseconds. */
const actsEveryMs = 5_000;

/**
 * Reports to execution what became of messages, and which wait, until `stopping` aborts, and does what operators want with parked ones. What
 * execution has not accepted is reported again, in order, also by the next process: what has ended is in the table until then, and what is
 * open is read from the inbox.
 */
export async function reportMessages({
  link,
  inbox,
  messages,
  findWorkspace,
  emit,
  stopping: signal,
}: ReportDeps): Promise<void> {
  let after = { at: 0, id: "" };
  let askedAt = -actsEveryMs;

  async function report(records: readonly MessageRecord[]): Promise<void> {
    if (records.length === 0 && performance.now() - askedAt < actsEveryMs) return;
    askedAt = performance.now();
    if (records.length === 0 && !(await messages.hasParked())) return;
    const named = await Promise.all(records.map(async (one) => ({ ...one, ...(await namesOf(one)) })));
    const { acts = [] } = await link.call("report_messages", { messages: named }, { signal });
    for (const act of acts) await messages.act(act, inbox);
  }

  /** The policy has looked up the author and the channel, so Slack is rarely asked. */
  async function namesOf({ team_id, user_id, channel }: MessageRecord) {
    const directory = (await findWorkspace({ team_id }).catch(() => undefined))?.directory;
    const names = directory && (await namesIn([`<@${user_id}> <#${channel}>`], directory));
    return { user_name: names?.get(user_id)?.slice(0, 255), channel_name: names?.get(channel)?.slice(0, 255) };
  }

  /** Returns true if there may be more. */
  async function reportNext(): Promise<boolean> {
    const ended = await messages.unreported(most);
    await report(ended);
    if (ended.length > 0) await messages.reported(ended);
    const { questions, last } = await inbox.questionsAfter(after, { ageMs: openAfterMs, most });
    await report(questions.map(messages.opened));
    after = last;
    return ended.length === most || questions.length === most;
  }

  const onOutage = (failure: unknown): void => emit("messages_not_reported", { operation: "report_messages", failure });
  await keepPolling(link, { signal, poll: reportNext, onOutage, quietMs, newsMs });
}
