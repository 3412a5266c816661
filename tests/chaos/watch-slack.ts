import type { DevSlack, EventEnvelope } from "@crosszone/dev-slack";
import { deletedBy, invitePeople } from "../resist/people.ts";
import type { Journal } from "./journal.ts";

export type People = ReturnType<typeof peopleOf>;

/** The people who write in a run's Slack, and the deliveries of their messages to the app. */
export function peopleOf(slack: DevSlack, journal: Journal) {
  const { control, workspace } = slack;
  const deliveries = recordDeliveries(slack, journal);
  const people = invitePeople({
    control,
    workspace,
    note: (what) => journal.note("Slack", what),
    after: (ms, act) => setTimeout(act, ms).unref(),
    setDelivery: ({ copies, delayMs, dropFirst }) =>
      control.setDelivery({ copies, delay_ms: delayMs, drop_first: dropFirst }),
    ...deliveries,
  });
  return { ...people, ...deliveries };
}

/** Records the events of people's messages, and which of them the app acknowledged. */
function recordDeliveries({ control, workspace }: DevSlack, journal: Journal) {
  const acknowledged = new Map<string, number>();
  const deletionsSeen = new Map<string, number>();
  const envelopes = new Map<string, Map<string, EventEnvelope>>();
  control.subscribe((event) => {
    if (event.type !== "traffic" || event.entry.kind !== "event") return;
    const { verdict, status, request } = event.entry;
    const envelope = (request as { body: EventEnvelope }).body;
    // Presses of buttons are no events.
    if (!("event" in envelope)) return;
    const deleted = deletedBy(envelope);
    if (status === 200 && deleted !== undefined) deletionsSeen.getOrInsert(deleted, Date.now());
    const { ts, user, client_msg_id } = envelope.event as { ts?: string; user?: string; client_msg_id?: string };
    if (ts === undefined || user === workspace.app.bot_user_id || client_msg_id === undefined) return;
    envelopes.getOrInsertComputed(ts, () => new Map()).set(envelope.event_id, envelope);
    journal.note("Slack", `event ${envelope.event.type} of ${ts}: ${verdict}`, { event_id: envelope.event_id });
    if (status !== 200) return;
    acknowledged.set(ts, (acknowledged.get(ts) ?? 0) + 1);
  });
  return {
    /** Returns the events of a message, including those that Slack sent while the app was down. */
    events: (ts: string): readonly EventEnvelope[] => [...(envelopes.get(ts)?.values() ?? [])],
    /** Delivers all events of a message again. */
    bringAgain: (ts: string) => {
      for (const envelope of envelopes.get(ts)?.values() ?? []) control.sendEvent(envelope.event, envelope);
    },
    /** Returns whether an event of the message is acknowledged. */
    isAccepted: (ts: string) => acknowledged.has(ts),
    /** Returns when the app acknowledged that a message was deleted, Unix milliseconds, or undefined before that. */
    deletionSeenAt: (ts: string) => deletionsSeen.get(ts),
    /** Returns the number of acknowledged deliveries beyond the first of each event. */
    repeated: () => [...acknowledged].reduce((sum, [ts, times]) => sum + times - (envelopes.get(ts)?.size ?? 1), 0),
  };
}

const counted: Readonly<Record<string, "started" | "appended" | "stopped" | undefined>> = {
  "chat.startStream": "started",
  "chat.appendStream": "appended",
  "chat.stopStream": "stopped",
};

/** Counts the calls that stream answers from now on, and those of the three methods that failed. */
export function countStreams({ control }: DevSlack) {
  const counts = { started: 0, appended: 0, stopped: 0, failed: 0 };
  control.subscribe((event) => {
    const name = event.type === "traffic" && event.entry.kind === "web_api" ? counted[event.entry.name] : undefined;
    if (event.type !== "traffic" || name === undefined) return;
    const isDone = event.entry.status === 200 && (event.entry.response as { ok?: unknown } | null)?.ok === true;
    counts[isDone ? name : "failed"] += 1;
  });
  return counts;
}

const longMs = 60_000;

export function watchSilence({ control }: DevSlack, { now }: Journal) {
  let since = Infinity;
  control.subscribe(({ type }) => {
    if (since < Infinity && type.startsWith("message")) since = now();
  });
  return {
    /** Starts the detection, when all disturbances are over. */
    begin: () => {
      since = now();
    },
    /** Returns whether no message has been posted or changed for a minute. */
    isLong: () => now() - since > longMs,
  };
}
