import type { Control, DevSlack, Message } from "@crosszone/dev-slack";
import type { Judged } from "./judge-messages.ts";

/**
 * Returns the app's messages that people find outside the threads of their questions, or in that of a question whose deletion the app had
 * seen. `seenAt` returns when it did, Unix milliseconds; what was under way then can arrive for `underWayMs` milliseconds.
 */
export function changeComplaintsOf(
  { control, workspace }: Pick<DevSlack, "workspace"> & { readonly control: Pick<Control, "messages"> },
  judged: readonly Judged[],
  { seenAt, underWayMs }: { readonly seenAt: (ts: string) => number | undefined; readonly underWayMs: number },
): string[] {
  const threads = new Set<string>(judged.map(({ message }) => `${message.channel} ${message.thread_ts ?? message.ts}`));
  const deleted = new Map<string, number>(
    judged.flatMap(({ planned, message }) =>
      planned.later?.does === "deletes" ? [[`${message.channel} ${message.ts}`, planned.number] as const] : [],
    ),
  );
  const own = workspace.channels.flatMap(({ id }) => control.messages({ channel: id })).filter(isForAll);
  return own.flatMap((said) => {
    const { channel, thread_ts, ts, text } = said;
    const thread = `${channel} ${thread_ts ?? ts}`;
    const about = `${ts} “${text.slice(0, 60)}”`;
    if (thread_ts === undefined || !threads.has(thread))
      return [`message ${about} is outside of its thread, in ${channel}`];
    const number = deleted.get(thread);
    const lateMs = Number(ts) * 1_000 - (seenAt(thread_ts) ?? Infinity);
    return number !== undefined && lateMs > underWayMs
      ? [`message ${about} was posted ${Math.round(lateMs)} ms after message ${number} was deleted`]
      : [];
  });

  /** Work that asks people writes to them directly. */
  function isForAll({ bot_id, ephemeral_for, metadata }: Message): boolean {
    const isCard = String(metadata?.event_payload["request_id"]).startsWith("input:");
    return bot_id === workspace.app.bot_id && ephemeral_for === undefined && !isCard;
  }
}
