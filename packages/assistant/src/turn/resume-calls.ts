import type { ModelMessage } from "ai";
import type { AssistantTool } from "../tools/assistant-tool.ts";
import { type CallOptions, runCall, settleCall } from "../tools/run-call.ts";
import type { PendingCall } from "../tools/turn-state.ts";
import type { ResumedTurn } from "./paused-turn.ts";

/**
 * Runs the pending calls of a paused turn that people have decided, and returns the turn's messages with the results.
 * The others are pending again.
 */
export async function resumeCalls(
  { state: { pending, messages, results: earlier }, permit }: ResumedTurn,
  { named, concurrency }: { readonly named: ReadonlyMap<string, AssistantTool>; readonly concurrency: number },
  options: CallOptions,
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
  { tool, permit }: Pick<ResumedTurn, "permit"> & { readonly tool: AssistantTool | undefined },
  options: CallOptions,
): Promise<string | undefined> {
  const { state, signal } = options;
  if (tool === undefined) return `Not called: ${JSON.stringify(call.tool)} is not available now. Tell the person so.`;
  if (call.waits !== undefined) return runCall(tool, call, options);
  const permitted = await permit(call);
  signal.throwIfAborted();
  if (permitted === "run") return runCall(tool, call, options);
  const isRenewed = permitted === "renew" && call.renewed !== true && tool.approval?.canBeGiven(state.sources) === true;
  if (permitted === "wait" || isRenewed) {
    state.wait(isRenewed ? { ...call, key: `${call.key}.2`, renewed: true } : call);
    return undefined;
  }
  const text = permitted === "renew" ? notHeld : permitted.instead;
  return settleCall({ tool, call }, async () => ({ text, failed: true }), options);
}

const notHeld = "Not called: its approval did not hold until the call. Tell the person so.";
