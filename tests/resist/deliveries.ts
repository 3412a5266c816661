import type { EventEnvelope } from "@crosszone/dev-slack";

/** Records which events Slack sent about messages, and which of them the app acknowledged. `now`: Unix milliseconds. */
export function recordDeliveries(now: () => number) {
  const envelopes = new Map<string, Map<string, EventEnvelope>>();
  const acknowledged = new Map<string, Map<string, number[]>>();
  const deletionsSeen = new Map<string, number>();
  const editsSeen = new Map<string, number>();
  const timesOf = (ts: string): number[][] => [...(acknowledged.get(ts)?.values() ?? [])];
  /** Returns the events of a message, including those that Slack sent while the app was down. */
  const events = (ts: string): readonly EventEnvelope[] => [...(envelopes.get(ts)?.values() ?? [])];
  return {
    events,
    noteSent: (envelope: EventEnvelope) => {
      const { ts } = envelope.event as { ts?: string };
      if (ts !== undefined) envelopes.getOrInsertComputed(ts, () => new Map()).set(envelope.event_id, envelope);
    },
    noteAcknowledged: (envelope: EventEnvelope) => {
      const ofMessage = acknowledged.getOrInsertComputed(String(envelope.event["ts"]), () => new Map());
      ofMessage.getOrInsertComputed(envelope.event_id, () => []).push(now());
      const deleted = deletedBy(envelope);
      if (deleted !== undefined) deletionsSeen.getOrInsert(deleted, now());
      const edited = envelope.event["message"] as { readonly ts?: string; readonly edited?: object } | undefined;
      if (edited?.ts !== undefined && edited.edited !== undefined) editsSeen.getOrInsert(edited.ts, now());
    },
    /** Returns whether an event of the message is acknowledged. */
    isAccepted: (ts: string) => acknowledged.has(ts),
    /** Returns when all events of this message were acknowledged, Unix milliseconds, or undefined before that. */
    acceptedAt: (ts: string) => {
      const times = timesOf(ts);
      return times.length > 0 && times.length === events(ts).length
        ? Math.max(...times.map(([first = 0]) => first))
        : undefined;
    },
    /** Returns when the app acknowledged that a message was deleted, Unix milliseconds, or undefined before that. */
    deletionSeenAt: (ts: string) => deletionsSeen.get(ts),
    /** Returns when the app acknowledged that a message was edited, Unix milliseconds, or undefined before that. */
    editSeenAt: (ts: string) => editsSeen.get(ts),
    /** Returns the number of acknowledged deliveries beyond the first of each event. */
    repeated: () => [...acknowledged.keys()].flatMap(timesOf).reduce((sum, { length }) => sum + length - 1, 0),
  };
}

/** Returns the message that an event says is deleted. One with replies becomes a tombstone. */
function deletedBy({ event }: EventEnvelope): string | undefined {
  const { deleted_ts, message } = event as { deleted_ts?: string; message?: { subtype?: string; ts?: string } };
  return message?.subtype === "tombstone" ? message.ts : deleted_ts;
}
