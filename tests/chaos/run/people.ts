import { setTimeout as wait } from "node:timers/promises";
import type { DevSlack, EventEnvelope, Message } from "@crosszone/dev-slack";
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
  const persons = populate(slack);
  const asked = new Map<number, Asked>();
  const deliveries = recordDeliveries(slack, journal);

  /** Writes one message now. */
  function write(planned: PlannedMessage): Message {
    const { number, place, person, follows, kind, delivery } = planned;
    const question = questionOf(number, kind);
    const parent = follows === undefined ? undefined : asked.get(follows);
    // A thread follows those who asked there.
    const isMention = "channel" in place && parent?.planned.person !== person;
    const root = parent?.message.ts;
    const { copies, delayMs, dropFirst } = delivery;
    control.setDelivery({ copies, delay_ms: delayMs, drop_first: dropFirst });
    const message = control.postMessage({
      channel: "direct" in place ? idOf("D", place.direct) : idOf("C", place.channel),
      user: persons["direct" in place ? place.direct : person] ?? "",
      text: isMention ? `@Crosszone ${question.text}` : question.text,
      thread_ts: root,
      ...(question.attached !== undefined && { files: [textFile(`stone-${number}.txt`, question.attached)] }),
    });
    control.setDelivery({ copies: 1, delay_ms: 0, drop_first: false });
    journal.note("Slack", `message ${number} is written: ${message.ts}`, { text: question.text });
    asked.set(number, { planned, message, question });
    return message;
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
    /** Returns the number of acknowledged deliveries beyond the first of each event. */
    repeated: deliveries.repeated,
  };
}

/** Creates the people, their direct messages and the channels. Returns the ids of the people. */
function populate({ control, workspace }: DevSlack): string[] {
  const { bot_user_id: bot } = workspace.app;
  const persons = Array.from({ length: personCount }, (_, number) => control.putUser({ id: idOf("U", number) }).id);
  for (const [number, person] of persons.entries())
    control.putChannel({ id: idOf("D", number), kind: "im", members: [person, bot] });
  for (let number = 0; number < channelCount; number++)
    control.putChannel({ id: idOf("C", number), members: [...persons, bot] });
  control.putUserGroup({
    id: groupId,
    handle: "deciders",
    name: "Deciders",
    users: groupMembers.map((one) => idOf("U", one)),
  });
  return persons;
}

/** Records the events of people's messages, and which of them the app acknowledged. */
function recordDeliveries({ control, workspace }: DevSlack, journal: Journal) {
  const acknowledged = new Map<string, number>();
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
    repeated: () => [...acknowledged].reduce((sum, [ts, times]) => sum + times - (envelopes.get(ts)?.size ?? 1), 0),
  };
}
