import { jsonSchema, tool as toolOf, type ToolSet } from "ai";
import type { AssistantTool } from "./assistant-tool.ts";
import { type CallOptions, runCall } from "./run-call.ts";
import type { PendingCall } from "./turn-state.ts";

/** The longest description passed to the model, characters. */
const longestDescription = 2_000;

/**
 * Returns the tools for the model: bounded, attributed, and withheld when third-party content may have caused the call.
 * A call that needs an approval does not run: it becomes a pending call of the turn.
 */
export function toolSetOf(named: ReadonlyMap<string, AssistantTool>, options: CallOptions): ToolSet {
  const entries = [...named].map(([name, tool]) => [
    name,
    toolOf({
      description: tool.description.slice(0, longestDescription).toWellFormed(),
      inputSchema: jsonSchema(tool.inputSchema),
      execute: (input, { toolCallId: id }) => callTool(tool, { name, input, id }, options),
    }),
  ]);
  return Object.fromEntries(entries) as ToolSet;
}

/** The most pending calls of a turn (`task-input-required.schema.json`). */
const mostPending = 20;

/** The model's result of a call that waits for people. The turn discards it. */
const noResult = "";

async function callTool(
  tool: AssistantTool,
  asked: Pick<PendingCall, "name" | "input" | "id">,
  options: CallOptions,
): Promise<string> {
  const { state } = options;
  const { name, title, approval } = tool;
  if (state.withheld.has(name)) return refusalOf(tool);
  const changed = state.changedArguments.get(asked.id);
  if (changed !== undefined) return `Not called: the arguments ${changed}. Call it again.`;
  if (approval?.canBeGiven(state.sources) === false)
    return `Not called: ${JSON.stringify(name)} needs an approval, but no eligible approver exists. Tell the person so.`;
  if (state.pending.length === mostPending)
    return "Not called: too many calls wait for people. Call it again when they have decided.";
  const number = state.countCall(name);
  const call = { ...asked, key: `${name}.${number}.${asked.id}`, tool: name, title, number };
  if (approval === undefined) return (await runCall(tool, call, options)) ?? noResult;
  state.wait(call);
  return noResult;
}

/** Returns what the model gets instead of a withheld call. */
export function refusalOf({ name, onlyForModel = false }: AssistantTool): string {
  const instead = onlyForModel
    ? "in a new thread, in a message with only their own words"
    : `directly: "ask ${name}: …"`;
  return `Not called: ${JSON.stringify(name)} changes something outside of this service, and this conversation holds content that the person did not write. Tell the person to ask for it ${instead}.`;
}
