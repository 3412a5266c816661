import { hash } from "node:crypto";
import type { ServedTool } from "../usage-meter.ts";

/** A JSON Schema of an object. */
export type ObjectSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

export interface MadeFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

export interface ToolResult {
  readonly text: string;
  /** Files for the requester, sent with the answer. */
  readonly files?: readonly MadeFile[];
  /** The tool failed; the text says so. */
  readonly failed?: boolean;
  /** Present when the call waits for people instead of having a result. */
  readonly waits?: WaitingCall;
}

/** What a call waits for, and how it continues. JSON. */
export interface WaitingCall {
  /** For the caller of the assistant. */
  readonly awaited: readonly unknown[];
  /** `ToolCall.continuation` of the next run of the call. */
  readonly continuation: unknown;
}

export interface ToolCall {
  readonly signal: AbortSignal;
  /** The number of this call of the tool within the turn, from 1. */
  readonly number: number;
  /** Of the call's span. Passed on with the tool's requests. */
  readonly traceparent?: string;
  /** Present when an earlier run of this call waited for people. */
  readonly continuation?: { readonly value: unknown };
}

/** The approval that each call of a tool needs. */
export interface ToolApproval {
  /** Whether there are people who can give it, without the sources of content in the conversation (Slack ids). */
  readonly canBeGiven: (sources: ReadonlySet<string>) => boolean;
}

export interface AssistantTool {
  /** Any text. The model gets a name that all providers accept. */
  readonly name: string;
  /** For users, while the tool runs. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /**
   * Whether it changes anything outside this service. Unless its calls need approvals, it is withheld while third-party
   * content is in the conversation.
   */
  readonly sideEffects: boolean;
  /** Whether its results contain only what this service computed from the call. */
  readonly trusted: boolean;
  /** Whether users can't call it by name, as they can an agent. */
  readonly onlyForModel?: boolean;
  /** Whether an approved call must not run again when the process crashed during its first run. */
  readonly runsOnce?: boolean;
  /** Present for a tool of an MCP server: its calls are recorded. */
  readonly served?: ServedTool;
  /** Present when each call needs an approval. */
  readonly approval?: ToolApproval;
  /** Runs the tool with the requester's rights. An error is logged, and the model gets a fixed text. */
  run(input: unknown, call: ToolCall): Promise<ToolResult>;
}

/** The longest name that every provider accepts. */
const longest = 64;

/**
 * Returns the tools by the names that the model uses: letters, digits, `_` and `-`, at most 64, unique. Names don't
 * depend on the tools' order: a changed name ends in a hash of the original.
 */
export function nameTools<T extends { readonly name: string }>(tools: readonly T[]): Map<string, T> {
  const named = new Map<string, T>();
  for (const tool of tools) {
    const name = toolName(tool.name);
    if (!named.has(name)) named.set(name, tool);
  }
  return named;
}

function toolName(name: string): string {
  if (/^[A-Za-z][\w-]*$/.test(name) && name.length <= longest) return name;
  const plain = name.replaceAll(/[^\w-]+/g, "_").replace(/^[^A-Za-z]+/, "") || "tool";
  return `${plain.slice(0, longest - 9)}_${hash("sha256", name, "hex").slice(0, 8)}`;
}
