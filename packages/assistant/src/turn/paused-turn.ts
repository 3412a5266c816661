import type { TaskStep } from "@crosszone/contracts";
import type { ModelMessage, ToolContent } from "ai";
import type { RecalledThread } from "../memory/recall-thread.ts";
import type { ThreadMemory } from "../memory/thread-memory.ts";
import type { AssistantTool } from "../tools/assistant-tool.ts";
import { runToolCall, settleCall, type ToolCallOptions } from "../tools/tool-set.ts";
import type { PendingCall, TurnSnapshot, TurnState } from "../tools/turn-state.ts";
import type { CallUsage, Spending, TurnUsage } from "../usage-meter.ts";

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

/** Throws a `TurnPaused` when calls wait for people. The last message of `answered` has the results of the model's last calls. */
export function pauseIfPending(
  state: TurnState,
  soFar: {
    readonly thread: readonly ModelMessage[];
    readonly answered: readonly ModelMessage[];
    readonly text: string;
    readonly calls: readonly CallUsage[];
  },
): void {
  if (state.pending.length === 0) return;
  const { answered, ...turn } = soFar;
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
export function threadOf({ thread, isTainted, sources }: PausedState): RecalledThread {
  const read = { messages: [...thread], hasOthers: isTainted, others: sources, omitted: 0 };
  return { ...read, summarizeNext: async () => undefined };
}

/**
 * What becomes of a call: it runs, it waits on, its approval is void so that it needs another, or the model gets a
 * text instead.
 */
export type Permit = "run" | "wait" | "renew" | { readonly instead: string };

export interface ResumedTurn {
  readonly state: PausedState;
  /** Called right before a call that needed an approval runs. `run` must be returned at most once for a key. */
  readonly permit: (call: PendingCall) => Promise<Permit>;
}

/**
 * Runs the pending calls of a paused turn that people have decided, and returns the turn's messages with the results.
 * The others are pending again.
 */
export async function resumeCalls(
  { state: { pending, messages, results: earlier }, permit }: ResumedTurn,
  { named, concurrency }: { readonly named: ReadonlyMap<string, AssistantTool>; readonly concurrency: number },
  options: ToolCallOptions,
): Promise<ModelMessage[]> {
  const results = [...earlier];
  const left = pending.values();
  const work = async (): Promise<void> => {
    for (const call of left) {
      const value = await resumeCall(call, { tool: named.get(call.name), permit }, options);
      if (value === undefined) continue;
      const { id: toolCallId, name: toolName } = call;
      results.push({ type: "tool-result", toolCallId, toolName, output: { type: "text", value } });
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return [...messages, { role: "tool", content: results }];
}

/** Returns the model's result; undefined when the call waits on. */
async function resumeCall(
  call: PendingCall,
  { tool, permit }: { readonly tool: AssistantTool | undefined; readonly permit: ResumedTurn["permit"] },
  options: ToolCallOptions,
): Promise<string | undefined> {
  const { state, signal } = options;
  if (tool === undefined) return `Not called: ${JSON.stringify(call.tool)} is not available now. Tell the person so.`;
  if (call.waits !== undefined) return runToolCall(tool, call, options);
  const permitted = await permit(call);
  signal.throwIfAborted();
  if (permitted === "run") return runToolCall(tool, call, options);
  const isRenewed = permitted === "renew" && call.renewed !== true && tool.approval?.canBeGiven(state.sources) === true;
  if (permitted === "wait" || isRenewed) {
    state.wait(isRenewed ? { ...call, key: `${call.key}.2`, renewed: true } : call);
    return undefined;
  }
  const text = permitted === "renew" ? notHeld : permitted.instead;
  return settleCall({ tool, call }, async () => ({ text, failed: true }), options);
}

const notHeld = "Not called: its approval did not hold until the call. Tell the person so.";

export interface TurnContext {
  /** Stops the turn, which rejects with the reason. */
  readonly signal: AbortSignal;
  readonly now: () => Date;
  readonly preview?: {
    /** Appends text. The shown text is the beginning of the answer's text, byte for byte. */
    text(delta: string): void;
    /** Shows the called tools and their results. */
    progress(progress: { readonly steps: TaskStep[] }): void;
  };
  /** Of the turn's span, the parent of its calls. */
  readonly traceparent?: string;
  /** Pays for the model calls. When absent, calls are not budgeted. */
  readonly spending?: Spending;
  /** Stores a summary of the thread. Without it, the oldest messages are omitted when the thread is too long. */
  readonly memory?: ThreadMemory;
  /** Receives the turn's usage when it has ended, whatever the outcome. */
  readonly onUsage?: (usage: TurnUsage) => void;
  /** Present when the turn was paused. Its usage then is that of this part. */
  readonly resumed?: ResumedTurn;
}
