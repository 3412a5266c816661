import type { ModelMessage, ToolContent } from "ai";
import type { PendingCall, TurnSnapshot, TurnState } from "../tools/turn-state.ts";
import type { RecalledThread } from "../memory/recall-thread.ts";
import type { CallUsage } from "../usage/usage-meter.ts";

/** A turn that waits for people. JSON. */
export interface PausedState extends TurnSnapshot {
  /** What the model got of the thread. */
  readonly thread: readonly ModelMessage[];
  /** Everything after the question, up to the model's message with the pending calls. */
  readonly messages: readonly ModelMessage[];
  /** Results of that message's other calls. */
  readonly results: ToolContent;
  /** The answer so far. */
  readonly text: string;
  /** The model calls so far. */
  readonly calls: readonly CallUsage[];
}

/** `Assistant.answer` rejects with it when calls of tools wait for people. */
export class TurnPaused extends Error {
  override readonly name = "TurnPaused";
  readonly state: PausedState;

  constructor(state: PausedState) {
    super("the turn waits for people");
    this.state = state;
  }
}

/** The rest of a turn's state. The last message of `answered` has the results of the model's last calls. */
interface TurnSoFar extends Pick<PausedState, "thread" | "text" | "calls"> {
  readonly answered: readonly ModelMessage[];
}

/** Throws a `TurnPaused` when calls wait for people. */
export function pauseIfPending(state: TurnState, { answered, ...turn }: TurnSoFar): void {
  if (state.pending.length === 0) return;
  const waiting = new Set(state.pending.map(({ id }) => id));
  const last = answered.at(-1);
  const results = last?.role === "tool" ? last.content : [];
  throw new TurnPaused({
    ...turn,
    ...state.snapshot(),
    messages: answered.slice(0, -1),
    results: results.filter((part) => part.type !== "tool-result" || !waiting.has(part.toolCallId)),
  });
}

/** Returns the thread of a paused turn as the turn had read it. */
export function threadOf({ thread, isTainted, sources }: PausedState): Omit<RecalledThread, "omitted"> {
  return { messages: [...thread], hasOthers: isTainted, others: sources, summarizeNext: async () => undefined };
}

/**
 * What becomes of a call: it runs, it waits on, its approval is void so that it needs another, or the model gets a
 * text instead.
 */
export type Permit = "run" | "wait" | "renew" | { readonly instead: string };

/** Continues a paused turn. */
export interface ResumedTurn {
  readonly state: PausedState;
  /** Called right before a call that needed an approval runs. `run` must be returned at most once for a key. */
  readonly permit: (call: PendingCall) => Promise<Permit>;
}
