import { randomUUID } from "node:crypto";
import type { KnownBlock } from "@slack/web-api";
import type { Inbox } from "../inbox/inbox.ts";
import { headOf, type InboxRecord, type LeasedRecord, type NoticeRecord, type RecordHead } from "../inbox/records.ts";
import type { QuestionTasks } from "../inbox/running-tasks.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import type { SlackApi, SlackAsker, SlackThread, TaskMark } from "../slack/slack-api.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { isRefusedForGood } from "./send-once.ts";

/** Processes a leased record of one kind. `leave` aborts when another process has the record, and when this one leaves its work to others. */
export type Flow<K extends InboxRecord["kind"]> = (leased: LeasedRecord<K>, leave: AbortSignal) => Promise<void>;

/** Where the records of one workspace are worked on. */
export interface Workplace {
  readonly workspace: WorkspaceContext;
  readonly inbox: Inbox;
  readonly link: ZoneLink;
  readonly running: QuestionTasks;
  /** The Slack channel where operators read what concerns them. */
  readonly operatorChannel?: string | undefined;
  /** Called when the answer to a record is in Slack, with what it is. */
  readonly onPosted?:
    ((record: RecordHead, answer: NonNullable<LeasedRecord["progress"]["answer"]>) => void) | undefined;
}

/**
 * Tells a person something that only they read: in their place or, if Slack refuses that, in a direct message. Rejects with a `SlackCallError` if
 * neither works.
 */
export async function tellPerson(
  slack: SlackApi,
  place: SlackAsker,
  { text, blocks, ids }: { readonly text: string; readonly blocks?: readonly KnownBlock[]; readonly ids: MarkIds },
): Promise<void> {
  try {
    return await slack.tell(place, text, blocks);
  } catch (failure) {
    if (!isRefusedForGood(failure) || place.channel.startsWith("D")) throw failure;
    const channel = await slack.openDirect(place.user_id);
    const { request_id, correlation_id } = ids;
    await slack.post({ channel }, { text, blocks, mark: { request_id, correlation_id, state: "done" } });
  }
}

type MarkIds = Pick<TaskMark, "request_id" | "correlation_id">;

/** Stores a notice. Of several notices with the same topic for one record, only the first is stored. */
export async function enqueueNotice(
  inbox: Inbox,
  record: InboxRecord,
  notice: Pick<NoticeRecord, "text" | "to"> & { readonly topic?: "queued" | "edited"; readonly place?: SlackThread },
): Promise<void> {
  const { text, to, topic = "notice", place } = notice;
  const head = { ...headOf(record), request_id: randomUUID(), claims: [`${topic} ${record.request_id}`] };
  const elsewhere = place && { ...place, in_thread: false };
  await inbox.accept({ ...head, ...elsewhere, kind: "notice", text, to });
}

/** Stores a notice for the direct messages of a record's person, once for each record. */
export async function tellDirectly({ workspace, inbox }: Workplace, record: InboxRecord, text: string): Promise<void> {
  const place = { channel: await workspace.slack.openDirect(record.user_id), thread_ts: "" };
  await enqueueNotice(inbox, record, { to: "channel", text, place });
}

/** Stores a notice for the operators' channel, if there is one. Of several with the same claim, only the first is stored. */
export async function tellOperators(
  { workspace, inbox, operatorChannel: channel }: Pick<Workplace, "workspace" | "inbox" | "operatorChannel">,
  text: string,
  claim: string,
): Promise<void> {
  if (channel === undefined) return;
  const { clock, identity } = workspace;
  const { team_id, org_id, bot_user_id: user_id } = identity;
  const ids = { request_id: randomUUID(), correlation_id: randomUUID(), claims: [claim], received_at: clock.now() };
  const who = { team_id, org_id, user_id, teams: [team_id], author_teams: [] };
  const place = { channel, thread_ts: "", in_thread: false };
  await inbox.accept({ ...ids, ...who, ...place, kind: "notice", to: "channel", text });
}
