import { setTimeout as wait } from "node:timers/promises";
import type { DevSlack, EventEnvelope, Message } from "@crosszone/dev-slack";
import type { Journal } from "../journal.ts";
import { channelCount, personCount, type PlannedMessage } from "../plan/message-plan.ts";
import { questionOf, type Question } from "../plan/question.ts";

/** A message that was written, and what its answer has to be. */
export interface Asked {
  readonly planned: PlannedMessage;
  readonly message: Message;
  readonly question: Question;
}

/** Those who write, and Slack's way of telling the app of it. */
export interface People {
  /** What was written so far, by number. */
  readonly asked: ReadonlyMap<number, Asked>;
  /** The events of a message, as they went out: to the app, or past it while it was down. */
  readonly events: (message: Message) => readonly EventEnvelope[];
  /** Writes one message now. */
  readonly write: (message: PlannedMessage) => Message;
  /** Writes what is planned, at its time; resolves when all is written. What it replies to comes first. */
  readonly writeAll: (messages: readonly PlannedMessage[]) => Promise<void>;
  /** All events of the message come once more. */
  readonly bringAgain: (message: Message) => void;
  /** How many deliveries were more than one that was acknowledged. */
  readonly repeated: () => number;
}

const textFile = (name: string, content: string) => ({ name, mimetype: "text/plain", content });

const id = (prefix: string, number: number): string => `${prefix}0CHAOS${String(number).padStart(4, "0")}`;

export function invitePeople({ control, workspace }: DevSlack, journal: Journal): People {
  const { bot_user_id: bot } = workspace.app;
  const persons = Array.from({ length: personCount }, (_, number) => control.putUser({ id: id("U", number) }).id);
  for (const [number, person] of persons.entries())
    control.putChannel({ id: id("D", number), kind: "im", members: [person, bot] });
  for (let number = 0; number < channelCount; number++)
    control.putChannel({ id: id("C", number), members: [...persons, bot] });

  const asked = new Map<number, Asked>();
  const accepted = new Map<string, number>();
  const envelopes = new Map<string, Map<string, EventEnvelope>>();
  const arrivals = new Map<string, PromiseWithResolvers<void>>();
  const arrival = (ts: string): PromiseWithResolvers<void> =>
    arrivals.getOrInsertComputed(ts, () => Promise.withResolvers<void>());
  control.subscribe((event) => {
    if (event.type !== "traffic" || event.entry.kind !== "event") return;
    const { verdict, status, request } = event.entry;
    const envelope = (request as { body: EventEnvelope }).body;
    const { ts, user, client_msg_id } = envelope.event as { ts?: string; user?: string; client_msg_id?: string };
    if (ts === undefined || user === bot || client_msg_id === undefined) return;
    envelopes.getOrInsertComputed(ts, () => new Map()).set(envelope.event_id, envelope);
    journal.note("Slack", `event ${envelope.event.type} of ${ts}: ${verdict}`, { event_id: envelope.event_id });
    if (status !== 200) return;
    accepted.set(ts, (accepted.get(ts) ?? 0) + 1);
    arrival(ts).resolve();
  });

  function write(planned: PlannedMessage): Message {
    const { number, place, person, follows, kind, delivery } = planned;
    const question = questionOf(number, kind);
    const user = persons["direct" in place ? place.direct : person] ?? "";
    const isMention = "channel" in place && follows === undefined;
    const root = follows === undefined ? undefined : asked.get(follows)?.message.ts;
    const { copies, delayMs, dropFirst } = delivery;
    control.setDelivery({ copies, delay_ms: delayMs, drop_first: dropFirst });
    const message = control.postMessage({
      channel: "direct" in place ? id("D", place.direct) : id("C", place.channel),
      user,
      text: isMention ? `@Crosszone ${question.text}` : question.text,
      ...(root !== undefined && { thread_ts: root }),
      ...(question.attached !== undefined && { files: [textFile(`stone-${number}.txt`, question.attached)] }),
    });
    control.setDelivery({ copies: 1, delay_ms: 0, drop_first: false });
    journal.note("Slack", `message ${number} is written: ${message.ts}`, { text: question.text });
    asked.set(number, { planned, message, question });
    return message;
  }

  /** A reply is for the app only where it takes part, so the mention has to be there first, as it is when people read before they answer. */
  async function untilAccepted(number: number): Promise<void> {
    const asking = asked.get(number);
    if (asking !== undefined) await arrival(asking.message.ts).promise;
  }

  function bringAgain({ ts }: Message): void {
    for (const envelope of envelopes.get(ts)?.values() ?? []) control.sendEvent(envelope.event, envelope);
  }

  return {
    asked,
    events: ({ ts }) => [...(envelopes.get(ts)?.values() ?? [])],
    bringAgain,
    write,
    writeAll: async (messages) => {
      const writing = new Map<number, Promise<void>>();
      for (const planned of messages) {
        const one = async (): Promise<void> => {
          await wait(Math.max(0, planned.at - journal.now()));
          if (planned.follows !== undefined) {
            await writing.get(planned.follows);
            await untilAccepted(planned.follows);
          }
          const message = write(planned);
          const { againAfterMs } = planned.delivery;
          if (againAfterMs !== undefined) setTimeout(() => bringAgain(message), againAfterMs).unref();
        };
        writing.set(planned.number, one());
      }
      await Promise.all(writing.values());
    },
    repeated: () => [...accepted].reduce((sum, [ts, times]) => sum + times - (envelopes.get(ts)?.size ?? 1), 0),
  };
}
