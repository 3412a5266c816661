/** A JSON Schema of an object. */
export type ObjectSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

/** A file that a tool created. */
export interface MadeFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** The result of a tool. */
export interface ToolResult {
  readonly text: string;
  /** Files for the requester, sent with the answer. */
  readonly files?: readonly MadeFile[];
  /** The tool failed; the text says so. */
  readonly failed?: boolean;
}

export interface ToolCall {
  readonly signal: AbortSignal;
  /** The number of this call of the tool within the turn, from 1. */
  readonly number: number;
  /** Of the call's span. Passed on with the tool's requests. */
  readonly traceparent?: string | undefined;
}

/** A tool for the model. */
export interface AssistantTool {
  /** Any text. The model gets a name that all providers accept. */
  readonly name: string;
  /** For users, while the tool runs. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /**
   * Whether it changes anything outside this service. It is withheld while third-party content is in the conversation.
   */
  readonly sideEffects: boolean;
  /** Whether its results contain only what this service computed from the call. */
  readonly trusted: boolean;
  /** Whether users can't call it by name, as they can an agent. */
  readonly onlyForModel?: boolean;
  /** Runs the tool with the requester's rights. An error is logged, and the model gets a fixed text. */
  run(input: unknown, call: ToolCall): Promise<ToolResult>;
}
