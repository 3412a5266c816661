import { createRandom, type Random } from "../../harness/random.ts";

/** Where a message is written: the n-th channel, with a mention, or the direct message of the n-th person. */
export type PlannedPlace = { readonly channel: number } | { readonly direct: number };

/**
 * What is asked: `quick` and `slow` take one message to answer, `parts` several, `file` a message and a file; a `streamed` answer grows
 * while it is written. An `attached` question is a direct message with a file that the agent reads. An `agent` question goes to a registered agent, and a `run`
 * to a workflow of several.
 */
export type PlannedKind = "quick" | "slow" | "parts" | "file" | "streamed" | "attached" | "agent" | "run";

/** Kinds whose answer binds the thread to the agent that gave it: they neither follow nor are followed. */
const binding: ReadonlySet<PlannedKind> = new Set(["agent", "run"]);

/** One message that somebody writes. */
export interface PlannedMessage {
  readonly number: number;
  /** Milliseconds after the start; a reply is written no earlier than the event of what it follows was accepted. */
  readonly at: number;
  readonly place: PlannedPlace;
  /** The number of the message in whose thread it is a reply, without a mention. */
  readonly follows?: number;
  readonly person: number;
  readonly kind: PlannedKind;
  /** How its events reach the app. */
  readonly delivery: PlannedDelivery;
}

export interface PlannedDelivery {
  /** How often each event comes at once. */
  readonly copies: number;
  /** How late each comes, milliseconds: what was written later may come earlier. */
  readonly delayMs: number;
  /** Nothing comes the first time: only Slack's retries arrive. */
  readonly dropFirst: boolean;
  /** When all events of the message come once more, milliseconds after it was written. */
  readonly againAfterMs?: number;
}

/** So many conversations there are of each sort. */
export const channelCount = 10;
export const personCount = 8;

/** A third of the messages are direct, a quarter follow up on a mention in its thread, the others are mentions. */
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
      ...(followed && { follows: followed.number }),
      person: random.int(personCount),
      kind: kindOf(random, { isReply: followed !== undefined, isDirect: "direct" in place }),
      delivery: deliveryOf(random, spanMs),
    });
  }
  return messages;
}

function placeOf(random: Random): PlannedPlace {
  return random.chance(0.45) ? { direct: random.int(personCount) } : { channel: random.int(channelCount) };
}

/** The files of a mention come with its thread, which the app asks for once and does not wait for long. */
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

function deliveryOf(random: Random, spanMs: number): PlannedDelivery {
  const dice = random.int(100);
  return {
    copies: dice < 60 ? 1 : dice < 85 ? 2 : 4,
    delayMs: random.chance(0.3) ? random.int(4_000) : 0,
    dropFirst: random.chance(0.1),
    ...(random.chance(0.15) && { againAfterMs: 5_000 + random.int(spanMs) }),
  };
}
