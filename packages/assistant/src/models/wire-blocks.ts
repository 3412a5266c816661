import { changeOfNumber } from "@crosszone/contracts/json";
import type { JsonObject } from "@crosszone/service-kit/json";
import { membersOf, stringIn } from "./provider-error.ts";

/** Reads what a server sends on one wire, and returns what the provider's package understands: strict events, in order. */
export interface WireReader {
  /** Returns the events for one event, or for a whole answer that came instead of a stream. */
  read(value: unknown): object[];
  /** Returns the events that are missing at the end. `isDone`: the server said that this is the end. */
  end(isDone: boolean): object[];
  /** Whether the model has said why it stopped: nothing that follows makes the answer incomplete. */
  isFinished(): boolean;
  /** Whether the documented end has come: nothing follows. */
  isOver(): boolean;
}

/** Shows that the server is alive, on every wire. */
export const ping = { type: "ping" };

/** Numbers that a double may not keep: the others need no closer look. */
const longNumber = /\d{16}|\d[eE][+-]?\d/;

/**
 * Parses JSON; undefined for other text. A number that JavaScript would change stays as it is written when it is written again: a tool must get
 * the argument that the model wrote, or be told that it can't.
 */
export function parseEvent(text: string): unknown {
  type Source = { readonly source?: string };
  const keep = (_name: string, value: unknown, { source = "" }: Source): unknown =>
    typeof value === "number" && changeOfNumber(source) !== undefined ? rawJson(source) : value;
  try {
    return (
      (longNumber.test(text)
        ? (JSON.parse(text, keep as Parameters<typeof JSON.parse>[1]) as unknown)
        : JSON.parse(text)) ?? {}
    );
  } catch {
    return undefined;
  }
}

const { rawJSON: rawJson } = JSON as unknown as { readonly rawJSON: (text: string) => object };

/** Returns the arguments of a call as JSON text: servers send a text or an object. Empty when there are none. */
export function argumentsIn(value: unknown): string {
  return typeof value === "object" && value !== null ? JSON.stringify(value) : stringIn(value);
}

/**
 * Returns the larger of each count of two usages, in nested objects too: servers repeat, split and reset their counts. Leaves out what is no
 * count; a text of digits is one.
 */
export function largestCounts(before: JsonObject, usage: unknown): JsonObject {
  const merged: Record<string, unknown> = { ...before };
  for (const [name, value] of Object.entries(Array.isArray(usage) ? {} : membersOf(usage))) {
    const earlier = Object.hasOwn(before, name) ? before[name] : undefined;
    const count = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
    if (typeof count === "number" && count >= 0 && Number.isFinite(count))
      merged[name] = Math.max(count, Number(earlier) || 0);
    else if (typeof value === "object" && value !== null && name !== "__proto__")
      merged[name] = largestCounts(membersOf(earlier), value);
  }
  return merged;
}

type BlockKind = "text" | "thinking" | "call";

/** A block of a message: a text, a thought, or a call of a tool. */
export interface MessageBlock {
  readonly index: number;
  readonly kind: BlockKind;
  /** Of the item on the wire. */
  readonly id: string;
  /** Of a call. */
  readonly callId: string;
  readonly name: string;
  /** What the provider wants back as it was: a redacted or encrypted thought. */
  sealed: string | undefined;
  /** Its text, or the arguments of a call, so far. */
  said: string;
}

/** What a wire says of a block when it starts. `input`: a call's arguments, if they don't follow. */
type BlockStart = Partial<Omit<MessageBlock, "index" | "kind" | "said">> & { readonly input?: unknown };

/** How a provider's package wants to read blocks. */
interface BlockEvents {
  start(block: MessageBlock): object;
  /** `type` is the wire's own name for a piece of this kind. */
  piece(block: MessageBlock, type: string, text: string): object;
  stop(block: MessageBlock): object;
}

/**
 * The blocks of one message, whatever a server leaves out: each starts before its first piece, and stops once: at its stop, at the next block with
 * its index, or at the end of the message. Blocks may interleave.
 */
export class MessageBlocks {
  /** Whether a tool was called. */
  isCalled = false;
  readonly #events: BlockEvents;
  /** The wire's name for a piece of arguments. */
  readonly #inputType: string;
  /** By index; undefined for a block that nobody uses. */
  readonly #open = new Map<number, (MessageBlock & { input: string }) | undefined>();
  #last = -1;

  constructor(inputType: string, events: BlockEvents) {
    this.#inputType = inputType;
    this.#events = events;
  }

  /** Returns the index of a block: a number, a text of digits, or that of the last block; `isNew`: after it. */
  indexOf(given: unknown, isNew = false): number {
    const index = Number.parseInt(String(given), 10);
    return Number.isNaN(index) ? Math.max(0, isNew ? this.#last + 1 : this.#last) : index;
  }

  start(given: unknown, kind: BlockKind, { input, id, callId, name = "", sealed }: BlockStart = {}): object[] {
    const index = this.indexOf(given, true);
    const unique = `${kind}_${crypto.randomUUID()}`;
    const block = {
      index,
      kind,
      id: id || unique,
      callId: callId || unique,
      name,
      sealed,
      said: "",
      input: argumentsIn(input),
    };
    const events = [...this.stop(index), this.#events.start(block)];
    this.#open.set(index, block);
    this.#last = index;
    this.isCalled ||= kind === "call";
    return events;
  }

  /** Leaves out a block of an unknown kind, with all its pieces. */
  ignore(given: unknown): object[] {
    const index = this.indexOf(given, true);
    const events = this.stop(index);
    this.#open.set(index, undefined);
    this.#last = index;
    return events;
  }

  /** Adds a piece. `type` is the wire's name for it. */
  add(given: unknown, kind: BlockKind, { type, text }: { readonly type: string; readonly text: string }): object[] {
    const index = this.indexOf(given);
    const isIgnored = this.#open.has(index) && this.#open.get(index) === undefined;
    if (text === "" || isIgnored) return [];
    const events = this.#open.get(index)?.kind === kind ? [] : this.start(index, kind);
    const block = this.#open.get(index);
    if (block === undefined) return events;
    block.said += text;
    return [...events, this.#events.piece(block, type, text)];
  }

  /** Adds what is missing of a block whose whole text is known. */
  complete(
    given: unknown,
    kind: BlockKind,
    { type, text }: { readonly type: string; readonly text: string },
  ): object[] {
    const said = this.find(given)?.said ?? "";
    return text.startsWith(said) ? this.add(given, kind, { type, text: text.slice(said.length) }) : [];
  }

  /** Returns an open block. */
  find(given: unknown): MessageBlock | undefined {
    return this.#open.get(this.indexOf(given));
  }

  stop(given: unknown): object[] {
    const index = this.indexOf(given);
    const block = this.#open.get(index);
    const isEmpty = block?.kind === "call" && block.said === "" && !/^(?:\s*\{\s*\}\s*)?$/.test(block.input);
    const events = isEmpty ? this.add(index, "call", { type: this.#inputType, text: block.input }) : [];
    this.#open.delete(index);
    return block === undefined ? events : [...events, this.#events.stop(block)];
  }

  stopAll(): object[] {
    return [...this.#open.keys()].flatMap((index) => this.stop(index));
  }
}
