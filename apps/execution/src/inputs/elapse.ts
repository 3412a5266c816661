import type { InputRequest, InputState } from "@crosszone/contracts";
import { isoTime } from "@crosszone/service-kit/text";
import type { InputRecord } from "./input-record.ts";

/** When a request is judged. */
export interface Moment {
  /** The database's time, Unix milliseconds. */
  readonly now: number;
  /** Whether the task or run that waits has ended or was deleted. */
  readonly ownerEnded: boolean;
}

/** Returns a request that no person closed. */
export const closed = (
  request: InputRequest,
  state: InputState,
  { now, because }: { readonly now: number; readonly because: string },
): InputRequest => ({
  ...request,
  state,
  remind_at: undefined,
  decided_at: request.decided_at ?? isoTime(now),
  closed_because: because,
});

/** Returns what an open or approved request has become without anyone's doing; undefined when nothing has changed. */
export function elapsed({ request }: InputRecord, { now, ownerEnded }: Moment): InputRequest | undefined {
  const { state, expires_at, execute_until } = request;
  if (state === "approved") {
    if (ownerEnded) return closed(request, "void", { now, because: "What asked has ended." });
    const isOver = now >= timeOf(execute_until);
    return isOver ? closed(request, "void", { now, because: "The action did not run in time." }) : undefined;
  }
  if (state !== "open") return undefined;
  if (ownerEnded) return closed(request, "withdrawn", { now, because: "What asked has ended." });
  return now >= timeOf(expires_at)
    ? closed(request, "expired", { now, because: "No decision was made in time." })
    : undefined;
}

/** Returns an open request after the reminder that is due; undefined when none is. */
export function reminded({ request, terms }: InputRecord, now: number): InputRequest | undefined {
  const { state, remind_at, expires_at, reminders = 0 } = request;
  if (state !== "open" || now < timeOf(remind_at)) return undefined;
  return { ...request, reminders: reminders + 1, remind_at: nextReminder(terms, { now, before: timeOf(expires_at) }) };
}

/** Whether time alone changes a request now. */
export const isDue = ({ record, moment }: { readonly record: InputRecord; readonly moment: Moment }): boolean =>
  (elapsed(record, moment) ?? reminded(record, moment.now)) !== undefined;

/** Returns the time of the next reminder; undefined without one before the time `before`. */
export function nextReminder(
  { remindEveryMs }: Pick<InputRecord["terms"], "remindEveryMs">,
  { now, before }: { readonly now: number; readonly before: number },
): string | undefined {
  return remindEveryMs === undefined || now + remindEveryMs >= before ? undefined : isoTime(now + remindEveryMs);
}

/** Returns when something happens to a live request next, Unix milliseconds. */
export const nextTime = ({ state, remind_at, expires_at, execute_until }: InputRequest): number =>
  state === "approved" ? timeOf(execute_until) : Math.min(timeOf(remind_at), timeOf(expires_at));

/** Absent: never. */
const timeOf = (time: string | undefined): number => (time === undefined ? Infinity : Date.parse(time));
