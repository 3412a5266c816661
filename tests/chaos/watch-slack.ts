import type { DevSlack, EventEnvelope } from "@crosszone/dev-slack";
import { add, type Counts } from "../resist/counts.ts";
import { recordDeliveries } from "../resist/deliveries.ts";
import { type Asked, invitePeople } from "../resist/people.ts";
import type { Journal } from "./journal.ts";

export type People = ReturnType<typeof peopleOf>;

/** The people who write in a run's Slack, and the deliveries of their messages to the app. `onAsked` is called when a message is written. */
export function peopleOf(slack: DevSlack, journal: Journal, onAsked: (one: Asked) => void) {
  const { control, workspace } = slack;
  const deliveries = watchDeliveries(slack, journal);
  const people = invitePeople({
    control,
    workspace,
    note: (what) => journal.note("Slack", what),
    after: (ms, act) => setTimeout(act, ms).unref(),
    setDelivery: ({ copies, delayMs, dropFirst }) =>
      control.setDelivery({ copies, delay_ms: delayMs, drop_first: dropFirst }),
    onAsked,
    ...deliveries,
  });
  return { ...people, ...deliveries };
}

/** Records the events of people's messages, and which of them the app acknowledged. */
function watchDeliveries({ control }: DevSlack, journal: Journal) {
  const deliveries = recordDeliveries(Date.now);
  control.subscribe((event) => {
    if (event.type !== "traffic" || event.entry.kind !== "event") return;
    const { verdict, status, request } = event.entry;
    const envelope = (request as { body: EventEnvelope }).body;
    // Presses of buttons are no events.
    if (!("event" in envelope)) return;
    deliveries.noteSent(envelope);
    const about = `${envelope.event.type} of ${String(envelope.event["ts"])}`;
    journal.note("Slack", `event ${about}: ${verdict}`, { event_id: envelope.event_id });
    if (status === 200) deliveries.noteAcknowledged(envelope);
  });
  return {
    ...deliveries,
    /** Delivers all events of a message again. */
    bringAgain: (ts: string) => {
      for (const envelope of deliveries.events(ts)) control.sendEvent(envelope.event, envelope);
    },
  };
}

const counted: Readonly<Record<string, "started" | "appended" | "stopped" | undefined>> = {
  "chat.startStream": "started",
  "chat.appendStream": "appended",
  "chat.stopStream": "stopped",
};

/** Counts the calls that stream answers from now on, and those of the three methods that failed. */
export function countStreams({ control }: DevSlack): Counts {
  const counts: Counts = new Map();
  control.subscribe((event) => {
    const name = event.type === "traffic" && event.entry.kind === "web_api" ? counted[event.entry.name] : undefined;
    if (event.type !== "traffic" || name === undefined) return;
    const isDone = event.entry.status === 200 && (event.entry.response as { ok?: unknown } | null)?.ok === true;
    add(counts, isDone ? name : "failed");
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
