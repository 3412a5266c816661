import { setTimeout as wait } from "node:timers/promises";
import type { Control, DevSlack, EventEnvelope, Message } from "@crosszone/dev-slack";
import type { Journal } from "../journal.ts";
import { channelCount, idOf, personCount, type PlannedMessage } from "../plan/message-plan.ts";
import { groupId, groupMembers } from "../plan/ask-plan.ts";
import { type Question, questionOf } from "../plan/question.ts";

/** A message that was written, and the answer that it needs. */
export interface Asked {
  readonly planned: PlannedMessage;
  readonly message: Message;
  readonly question: Question;
}

export type People = ReturnType<typeof invitePeople>;

const textFile = (name: string, content: string) => ({ name, mimetype: "text/plain", content });

/** The people who write in Slack, and the deliveries of their messages to the app. */
export function invitePeople(slack: DevSlack, journal: Journal) {
  const { control } = slack;
  const persons = populate(control, slack.workspace);
  const asked = new Map<number, Asked>();
  const deliveries = recordDeliveries(slack, journal);

  /** Writes one message now. */
  function write(planned: PlannedMessage): Message {
    const { number, place, person, follows, delivery } = planned;
    const question = askedIn(planned);
    const parent = follows === undefined ? undefined : asked.get(follows);
    const root = parent?.message.ts;
    const { copies, delayMs, dropFirst } = delivery;
    control.setDelivery({ copies, delay_ms: delayMs, drop_first: dropFirst });
    const message = control.postMessage({
      channel: "direct" in place ? idOf("D", place.direct) : idOf("C", place.channel),
      user: persons["direct" in place ? place.direct : person] ?? "",
      text: wordsOf(planned, question, parent?.planned),
      thread_ts: root,
      ...(question.attached !== undefined && { files: [textFile(`stone-${number}.txt`, question.attached)] }),
    });
    control.setDelivery({ copies: 1, delay_ms: 0, drop_first: false });
    journal.note("Slack", `message ${number} is written: ${message.ts}`, { text: question.text });
    asked.set(number, { planned, message, question });
    return message;
  }

  function change(one: Asked): void {
    journal.note("Slack", `the author of message ${one.planned.number} ${one.planned.later?.does} it`);
    changeMessage(slack, one);
  }

  /** Delivers all events of the message again. */
  function bringAgain({ ts }: Message): void {
    for (const envelope of deliveries.events(ts)) control.sendEvent(envelope.event, envelope);
  }

  /** Writes all messages at their times, a reply after its parent. Resolves when all are written. */
  async function writeAll(messages: readonly PlannedMessage[]): Promise<void> {
    const writing = new Map<number, Promise<void>>();
    for (const planned of messages) {
      const one = async (): Promise<void> => {
        await wait(Math.max(0, planned.at - journal.now()));
        if (planned.follows !== undefined) {
          await writing.get(planned.follows);
          // The app reads replies only in threads that it is in, so it must have the mention first.
          const root = asked.get(planned.follows)?.message;
          if (root !== undefined) await deliveries.accepted(root.ts);
        }
        const message = write(planned);
        const { againAfterMs } = planned.delivery;
        if (againAfterMs !== undefined) setTimeout(() => bringAgain(message), againAfterMs).unref();
        const written = asked.get(planned.number);
        const { afterMs = Infinity } = planned.later ?? {};
        if (written !== undefined && afterMs < Infinity) setTimeout(() => change(written), afterMs);
      };
      writing.set(planned.number, one());
    }
    await Promise.all(writing.values());
  }

  return {
    /** Messages written so far, by number. */
    asked,
    /** Returns the events of a message, including those that Slack sent while the app was down. */
    events: ({ ts }: Message) => deliveries.events(ts),
    bringAgain,
    write,
    writeAll,
    /** Changes the messages that are changed when they are old. */
    changeOld: () => {
      for (const one of asked.values()) if (one.planned.later?.afterMs === Infinity) change(one);
    },
    /** Returns when the app acknowledged that a message was deleted, Unix milliseconds, or undefined before that. */
    deletionSeenAt: deliveries.deletionSeenAt,
    /** Returns the number of acknowledged deliveries beyond the first of each event. */
    repeated: deliveries.repeated,
  };
}

/** Returns the message that an event says is deleted. One with replies becomes a tombstone. */
export function deletedBy({ event }: EventEnvelope): string | undefined {
  const { deleted_ts, message } = event as { deleted_ts?: string; message?: { subtype?: string; ts?: string } };
  return message?.subtype === "tombstone" ? message.ts : deleted_ts;
}

/**
 * Returns what an author writes: the question, with the mention that the app needs there, unless it is to be added later. A thread follows those
 * who asked there.
 */
export function wordsOf({ place, person, later }: PlannedMessage, { text }: Question, parent?: PlannedMessage): string {
  const isMention = "channel" in place && parent?.person !== person && later?.does !== "mentions";
  return isMention ? `@Crosszone ${text}` : text;
}

/** Changes a message as its author planned. */
export function changeMessage(
  { control }: { readonly control: Pick<Control, "editMessage" | "deleteMessage"> },
  { planned, message: { channel, ts, user } }: Asked,
): void {
  const { later, number, kind } = planned;
  if (later?.does === "deletes") return control.deleteMessage({ channel, ts, user });
  const { later: _, ...mentioned } = planned;
  const question = questionOf(later?.does === "edits" ? number + corrected : number, kind);
  control.editMessage({ channel, ts, user, text: wordsOf(mentioned, question) });
}

/** The correction of a question is the question of a later message. */
const corrected = 600;

/** Returns the question of a message. One that is corrected early may be answered as it was or as it is. */
export function askedIn({ number, kind, later }: PlannedMessage): Question {
  const question = questionOf(number, kind);
  if (later?.does !== "edits") return question;
  const other = questionOf(number + corrected, kind);
  return { ...question, isRight: (answer) => question.isRight(answer) || other.isRight(answer) };
}

/** Creates the people, their direct messages and the channels. Returns the ids of the people. */
export function populate(
  control: Pick<Control, "putUser" | "putChannel" | "putUserGroup">,
  { app: { bot_user_id: bot } }: DevSlack["workspace"],
): string[] {
  const persons = Array.from({ length: personCount }, (_, number) => control.putUser({ id: idOf("U", number) }).id);
  for (const [number, person] of persons.entries())
    control.putChannel({ id: idOf("D", number), kind: "im", members: [person, bot] });
  for (let number = 0; number < channelCount; number++)
    control.putChannel({ id: idOf("C", number), members: [...persons, bot] });
  const users = groupMembers.map((one) => idOf("U", one));
  control.putUserGroup({ id: groupId, handle: "deciders", name: "Deciders", users });
  return persons;
}

/** Records the events of people's messages, and which of them the app acknowledged. */
function recordDeliveries({ control, workspace }: DevSlack, journal: Journal) {
  const acknowledged = new Map<string, number>();
  const deletionsSeen = new Map<string, number>();
  const envelopes = new Map<string, Map<string, EventEnvelope>>();
  const arrivals = new Map<string, PromiseWithResolvers<void>>();
  const arrival = (ts: string): PromiseWithResolvers<void> =>
    arrivals.getOrInsertComputed(ts, () => Promise.withResolvers<void>());
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
    arrival(ts).resolve();
  });
  return {
    events: (ts: string): readonly EventEnvelope[] => [...(envelopes.get(ts)?.values() ?? [])],
    /** Resolves when an event of the message is acknowledged. */
    accepted: (ts: string): Promise<void> => arrival(ts).promise,
    deletionSeenAt: (ts: string) => deletionsSeen.get(ts),
    repeated: () => [...acknowledged].reduce((sum, [ts, times]) => sum + times - (envelopes.get(ts)?.size ?? 1), 0),
  };
}
