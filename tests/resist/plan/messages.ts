import { createRandom, type Random } from "../../harness/random.ts";

/** Where a message is written: a channel, with a mention, or the direct message of a person. */
type PlannedPlace = { readonly channel: number } | { readonly direct: number };

/**
 * What is asked. `quick` and `slow` need one message for the answer, `parts` several, `file` a message and a file. A `streamed` answer grows while it
 * is written. An `attached` question is a direct message with a file that the agent reads. An `agent` question goes to a registered agent, a `run` to
 * a workflow of several agents. A question that `asks` goes to a workflow that acts only when people have approved it; `left`: and nobody decides. One
 * that `calls` goes to an agent that calls a tool when people have approved it; they also type words in its thread. Only the simulation has the last
 * four: a question whose agent `fails`, the `list` of agents, a streamed answer that its author stops, and a question of a guest, which is `denied`.
 */
export type PlannedKind =
  | "quick"
  | "slow"
  | "parts"
  | "file"
  | "streamed"
  | "attached"
  | "agent"
  | "run"
  | "asks"
  | "left"
  | "calls"
  | "fails"
  | "list"
  | "stopped"
  | "denied";

/** Kinds whose answer binds the thread to their agent. They are not replies, and have none. */
const binding: ReadonlySet<PlannedKind> = new Set(["agent", "run"]);

/** A message that a person writes. */
export interface PlannedMessage {
  readonly number: number;
  /** Milliseconds after the start. A reply waits until the event of its parent is accepted. */
  readonly at: number;
  readonly place: PlannedPlace;
  /** Number of the parent, for a reply in its thread without a mention. */
  readonly follows?: number;
  readonly person: number;
  readonly kind: PlannedKind;
  /** How Slack delivers its events. */
  readonly delivery: PlannedDelivery;
  readonly later?: Later;
}

/**
 * What the author does with a message later: corrects it, adds the mention of the app that it did not have, or deletes it. The time is in
 * milliseconds after the message; infinite: when the app has deleted what it keeps for a day.
 */
export interface Later {
  readonly does: "edits" | "mentions" | "deletes";
  readonly afterMs: number;
}

export interface PlannedDelivery {
  /** Copies of each event at the same time; with 0, its events are lost. */
  readonly copies: number;
  /** Delay of each event, milliseconds. Later messages can overtake it. */
  readonly delayMs: number;
  /** The first delivery is lost; only Slack's retries arrive. */
  readonly dropFirst: boolean;
  /** When all events of the message are delivered again, milliseconds after it was written. */
  readonly againAfterMs?: number;
}

/** Each event arrives once, soon. */
export const atOnce: PlannedDelivery = { copies: 1, delayMs: 0, dropFirst: false };

/** Number of channels, with those that have messages only in an outage, and of people. */
export const channelCount = 10;
export const allChannels = 12;
export const personCount = 8;

/** Returns the id of a person, channel or direct message. */
export const idOf = (prefix: "U" | "C" | "D", number: number): string =>
  `${prefix}0CHAOS${String(number).padStart(4, "0")}`;

/** Plans messages: a third are direct messages, a quarter are replies to a mention, the others are mentions. */
export function planMessages(seed: number, count: number, spanMs: number): PlannedMessage[] {
  const random = createRandom(seed, 1);
  const messages: PlannedMessage[] = [];
  for (let number = 0; number < count; number++) {
    const at = Math.round(((number + random.int(100) / 100) * spanMs) / count);
    const open = messages.filter(
      ({ place, follows, kind }) =>
        "channel" in place && follows === undefined && kind !== "slow" && !binding.has(kind),
    );
    const followed = random.chance(0.25) && open.length > 0 ? random.pick(open.slice(-20)) : undefined;
    const place = followed?.place ?? placeOf(random);
    messages.push({
      number,
      at,
      place,
      follows: followed?.number,
      person: random.int(personCount),
      kind: kindOf(random, { isReply: followed !== undefined, isDirect: "direct" in place }),
      delivery: deliveryOf(random, spanMs),
    });
  }
  return messages;
}

/** Returns the place of a message that is no reply. */
export function placeOf(random: Random): PlannedPlace {
  return random.chance(0.45) ? { direct: random.int(personCount) } : { channel: random.int(channelCount) };
}

/** Only direct messages have files: for the files of a mention, the app reads the thread once, with a short timeout. */
function kindOf(
  random: Random,
  { isReply, isDirect }: { readonly isReply: boolean; readonly isDirect: boolean },
): PlannedKind {
  const dice = random.int(100);
  if (dice < 25) return "quick";
  if (dice < 33) return "slow";
  if (dice < 55) return "streamed";
  if (dice < 61) return "parts";
  if (dice < 67) return "file";
  if (dice < 77) return isDirect ? "attached" : "quick";
  if (isReply) return "quick";
  return dice < 90 ? "agent" : "run";
}

/** Returns the person who asks a question that asks people. Persons 0 to 2 decide, and 7 asks nothing. */
export const askerOf = (number: number): number => 3 + (number % 4);

/** Plans questions that ask people. Nobody decides every tenth; they come last, so that the others are open with them. */
export function planAsks(seed: number, count: number, spanMs: number): PlannedMessage[] {
  const random = createRandom(seed, 8);
  const decided = count - Math.floor(count / 10);
  return Array.from({ length: count }, (_, number) => ({
    number,
    at: Math.round((number * spanMs) / count),
    place: { channel: number % channelCount },
    person: askerOf(number),
    kind: number < decided ? "asks" : "left",
    delivery: deliveryOf(random, spanMs),
  }));
}

/**
 * Plans questions that call a tool, each behind a slow one in its thread, so that an edit can come before work on it begins: two of three are edited.
 * `moment` returns when a slow one is written, `first` is the number of the first message.
 */
export function planCalls(
  seed: number,
  { count, first, moment }: { readonly count: number; readonly first: number; readonly moment: (at: number) => number },
): PlannedMessage[] {
  const random = createRandom(seed, 47);
  return Array.from({ length: count }, (_, index): PlannedMessage[] => {
    const [at, slow, number] = [moment(index), first + 2 * index, first + 2 * index + 1];
    const both = { place: { channel: random.int(channelCount) }, person: askerOf(number) };
    const often = { copies: 1 + random.int(2), delayMs: random.chance(0.3) ? random.int(500) : 0 };
    const delivery = { ...often, dropFirst: random.chance(0.1) };
    const edit = { does: "edits", afterMs: 1 + random.int(random.pick([300, 2_500])) } as const;
    return [
      { ...both, number: slow, at, kind: "slow", delivery: atOnce },
      { ...both, number, at, kind: "calls", follows: slow, delivery, ...(random.int(3) > 0 && { later: edit }) },
    ];
  }).flat();
}

/** Lets the authors of every second message change it, unless it has replies, or its answer is not known after a change. */
export function withChanges(seed: number, messages: readonly PlannedMessage[]): PlannedMessage[] {
  const random = createRandom(seed, 9);
  const changed: ReadonlySet<PlannedKind> = new Set(["quick", "slow", "streamed", "parts", "agent"]);
  const followed = new Set(messages.map(({ follows }) => follows));
  return messages.map((message) => {
    const { number, place, follows, kind } = message;
    const isFree = follows === undefined && !followed.has(number) && changed.has(kind);
    const ways = ["edits", ...(kind === "agent" ? [] : ["deletes" as const])] as const;
    const does = kind === "quick" && "channel" in place && random.chance(0.3) ? "mentions" : random.pick(ways);
    const afterMs = does !== "mentions" && random.chance(0.3) ? Infinity : 1 + random.int(4_000);
    return isFree && random.chance(0.5) ? { ...message, later: { does, afterMs } } : message;
  });
}

function deliveryOf(random: Random, spanMs: number): PlannedDelivery {
  const dice = random.int(100);
  return {
    copies: dice < 60 ? 1 : dice < 85 ? 2 : 4,
    delayMs: random.chance(0.3) ? random.int(4_000) : 0,
    dropFirst: random.chance(0.1),
    ...(random.chance(0.15) && { againAfterMs: 5_000 + random.int(spanMs) }),
  };
}
