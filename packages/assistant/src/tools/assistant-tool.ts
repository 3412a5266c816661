/** A JSON Schema of an object. */
export type ObjectSchema = Readonly<Record<string, unknown>> & { readonly type: "object" };

/** A file that a tool made. */
export interface MadeFile {
  readonly name: string;
  readonly mediaType: string;
  readonly bytes: Uint8Array;
}

/** What a tool gave. */
export interface ToolResult {
  readonly text: string;
  /** Files that go to the person with the answer. */
  readonly files?: readonly MadeFile[];
  /** The tool failed; the text says so. */
  readonly failed?: boolean;
}

export interface ToolCall {
  readonly signal: AbortSignal;
  /** Which call of this tool it is within the turn, from 1. */
  readonly number: number;
  /** Of the span that the call is. Goes along with what the tool asks of others. */
  readonly traceparent?: string | undefined;
}

/** Something that the model can use. */
export interface AssistantTool {
  /** What it is called here, any text. The model gets a name that providers take. */
  readonly name: string;
  /** For people, while it runs. */
  readonly title: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  /** It changes something outside of this service. It is withheld while content of others is in the conversation. */
  readonly sideEffects: boolean;
  /** Its results hold nothing but what this service computed from the call. */
  readonly trusted: boolean;
  /** People can't ask for it by its name as they can for an agent. */
  readonly onlyForModel?: boolean;
  /** Runs with the rights of the person who asks. What it throws is logged; the model gets a fixed text. */
  run(input: unknown, call: ToolCall): Promise<ToolResult>;
}
