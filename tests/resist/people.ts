import type { Control, DevSlack, Message } from "@crosszone/dev-slack";
import { allChannels, atOnce, idOf, personCount, type PlannedDelivery, type PlannedMessage } from "./plan/messages.ts";
import { groupId, groupMembers, type Question, questionOf } from "./plan/questions.ts";

/** A message that was written, and the answer that it needs. */
export interface Asked {
  readonly planned: PlannedMessage;
  readonly message: Message;
  readonly question: Question;
}

type PeopleControl = Pick<
  Control,
  "putUser" | "putChannel" | "putUserGroup" | "postMessage" | "editMessage" | "deleteMessage"
>;

/** Slack as people use it, and the time in which they do: that of a run, or a virtual one. */
interface PeoplesWorld extends Pick<DevSlack, "workspace"> {
  readonly control: PeopleControl;
  readonly note: (what: string) => void;
  readonly after: (ms: number, act: () => void) => unknown;
  /** Sets how Slack delivers the events of what people do next. */
  readonly setDelivery: (delivery: PlannedDelivery) => void;
  /** Returns whether the app has acknowledged an event of a message. */
  readonly isAccepted: (ts: string) => boolean;
  /** Delivers all events of a message again. */
  readonly bringAgain: (ts: string) => void;
  /** Called when a message is written. */
  readonly onAsked?: (one: Asked) => void;
}

const textFile = (name: string, content: string) => ({ name, mimetype: "text/plain", content });
const lookAgainMs = 100;

/** The people who write in Slack, and change what they wrote. */
export function invitePeople(world: PeoplesWorld) {
  const { control, workspace, note, after, setDelivery, isAccepted, bringAgain, onAsked } = world;
  const persons = populate(control, workspace);
  const asked = new Map<number, Asked>();

  /** Writes a message now. A reply waits for its parent: the app reads replies only in threads that it is in, so it must have the mention first. */
  function write(planned: PlannedMessage, onWritten?: () => void): void {
    const { number, place, person, follows, kind, delivery, later } = planned;
    const parent = follows === undefined ? undefined : asked.get(follows);
    const root = parent?.message.ts;
    const isLost = delivery.copies === 0;
    if (follows !== undefined && (root === undefined || (!isLost && !isAccepted(root))))
      return void after(lookAgainMs, () => write(planned, onWritten));
    const question = askedIn(planned);
    const direct = "direct" in place ? (kind === "denied" ? personCount : place.direct) : undefined;
    setDelivery(delivery);
    const message = control.postMessage({
      channel: "channel" in place ? idOf("C", place.channel) : idOf("D", direct ?? 0),
      user: persons[direct ?? person] ?? "",
      text: wordsOf(planned, question, parent?.planned),
      thread_ts: root,
      ...(question.attached !== undefined && { files: [textFile(`stone-${number}.txt`, question.attached)] }),
    });
    setDelivery(atOnce);
    note(`message ${number} is written: ${message.ts} ${kind}: ${question.text}`);
    const one = { planned, message, question };
    asked.set(number, one);
    if (later !== undefined && later.afterMs < Infinity) after(later.afterMs, () => change(one));
    if (delivery.againAfterMs !== undefined) after(delivery.againAfterMs, () => bringAgain(message.ts));
    onAsked?.(one);
    onWritten?.();
  }

  /** Changes a message as its author planned. */
  function change({ planned, message: { channel, ts, user } }: Asked): void {
    const { number, kind, later, delivery } = planned;
    note(`the author of message ${number} ${later?.does} it`);
    setDelivery(delivery);
    if (later?.does === "deletes") control.deleteMessage({ channel, ts, user });
    else {
      const question = questionOf(later?.does === "edits" ? number + corrected : number, kind);
      const parent = asked.get(planned.follows ?? -1)?.planned;
      control.editMessage({ channel, ts, user, text: wordsOf({ ...planned, later: undefined }, question, parent) });
    }
    setDelivery(atOnce);
  }

  return {
    /** Messages written so far, by number. */
    asked,
    write,
    /** Writes a reply of a person in the thread of a message, which Slack delivers like the message. Returns it. */
    type: ({ planned, message: { channel, ts, thread_ts = ts } }: Asked, person: number, text: string): Message => {
      setDelivery(planned.delivery);
      const typed = control.postMessage({ channel, thread_ts, user: persons[person] ?? "", text });
      setDelivery(atOnce);
      note(`${typed.user} types in the thread of message ${planned.number}: ${typed.ts} ${text}`);
      return typed;
    },
    /** Writes all messages at their times from now. Resolves when all are written. */
    writeAll: (messages: readonly PlannedMessage[]) =>
      new Promise<void>((resolve) => {
        let left = messages.length;
        const onWritten = (): void => {
          if ((left -= 1) === 0) resolve();
        };
        for (const planned of messages) after(planned.at, () => write(planned, onWritten));
      }),
    /** Changes the messages that are changed when they are old. */
    changeOld: () => {
      for (const one of asked.values()) if (one.planned.later?.afterMs === Infinity) change(one);
    },
  };
}

/**
 * Returns what an author writes: the question, with the mention that the app needs there, unless it is to be added later. A thread follows those
 * who asked there.
 */
function wordsOf({ place, person, later }: PlannedMessage, { text }: Question, parent?: PlannedMessage): string {
  const isMention = "channel" in place && parent?.person !== person && later?.does !== "mentions";
  return isMention ? `@Crosszone ${text}` : text;
}

/** The correction of a question is the question of a later message. Who decides about both is the same. */
export const corrected = 600;

/** Returns the question of a message. One that is corrected early may be answered as it was or as it is. */
function askedIn({ number, kind, later }: PlannedMessage): Question {
  const question = questionOf(number, kind);
  if (later?.does !== "edits") return question;
  const other = questionOf(number + corrected, kind);
  return { ...question, isRight: (answer) => question.isRight(answer) || other.isRight(answer) };
}

/** Creates the people, a guest, their direct messages and the channels. Returns the ids of the people; the guest is the last. */
function populate(control: PeopleControl, { app: { bot_user_id: bot } }: DevSlack["workspace"]): string[] {
  const persons = Array.from({ length: personCount }, (_, number) => control.putUser({ id: idOf("U", number) }).id);
  for (const [number, person] of persons.entries())
    control.putChannel({ id: idOf("D", number), kind: "im", members: [person, bot] });
  for (let number = 0; number < allChannels; number++)
    control.putChannel({ id: idOf("C", number), members: [...persons, bot] });
  const users = groupMembers.map((one) => idOf("U", one));
  control.putUserGroup({ id: groupId, handle: "deciders", name: "Deciders", users });
  const guest = control.putUser({ id: idOf("U", personCount), is_restricted: true }).id;
  control.putChannel({ id: idOf("D", personCount), kind: "im", members: [guest, bot] });
  return [...persons, guest];
}
