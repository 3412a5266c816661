/** The arguments of the tools, as JSON Schema and as types. Model providers accept no `oneOf` or `anyOf` at the top. */
import type { Tool } from "@modelcontextprotocol/server";

type Schema = Tool["inputSchema"];

const id = (description: string) => ({ type: "string", minLength: 1, maxLength: 256, description });

const files = {
  type: "array",
  maxItems: 20,
  description: "Files for the agent.",
  items: {
    type: "object",
    required: ["name", "media_type", "base64"],
    properties: {
      name: { type: "string", minLength: 1, maxLength: 255 },
      media_type: { type: "string", pattern: "^[\\w.+-]+/[\\w.+-]+$", maxLength: 255 },
      base64: { type: "string", pattern: "^[A-Za-z0-9+/]*={0,2}$" },
    },
    additionalProperties: false,
  },
} as const;

const question = {
  message: { type: "string", minLength: 1, description: "What to ask, with everything the agent needs to know." },
  context_id: id("Continues the conversation of an earlier result."),
  request_id: id("Your own unique id. A repeated call with the same id returns the same task."),
  files,
};

export interface AskArguments {
  readonly message?: string;
  readonly context_id?: string;
  readonly request_id?: string;
  readonly files?: readonly { readonly name: string; readonly media_type: string; readonly base64: string }[];
}

export interface AskAnyArguments extends AskArguments {
  readonly agent: string;
  readonly input?: Readonly<Record<string, unknown>>;
}

export interface AnswerArguments {
  readonly task_id: string;
  readonly request_id: string;
  readonly verdict?: "answer" | "approve" | "deny";
  readonly value?: string;
  readonly values?: Readonly<Record<string, unknown>>;
  readonly reason?: string;
  readonly digest?: string;
}

const object = (properties: object, ...required: string[]): Schema => ({
  type: "object",
  properties: properties as NonNullable<Schema["properties"]>,
  required,
  additionalProperties: false,
});

const task_id = id("The task_id of an earlier result.");

export const schemas = {
  ask: object(question, "message"),
  askAny: object(
    {
      agent: id("Its name in list_agents."),
      ...question,
      input: { type: "object", description: "For a workflow, instead of message: what matches its input_schema." },
    },
    "agent",
  ),
  listAgents: object({
    search: { type: "string", maxLength: 256, description: "Words of the name or the description." },
    after: id("The `next` of an earlier result."),
  }),
  getTask: object(
    {
      task_id,
      wait_seconds: { type: "number", minimum: 0, maximum: 25, description: "How long to wait for the end (25)." },
    },
    "task_id",
  ),
  cancelTask: object({ task_id }, "task_id"),
  answerInput: object(
    {
      task_id,
      request_id: id("The request_id of what the task asks."),
      verdict: {
        enum: ["answer", "approve", "deny"],
        description: "`answer` (the default) needs value or values. `deny` declines.",
      },
      value: { type: "string", description: "The text, or the value of an option." },
      values: { type: "object", description: "The fields of a form." },
      reason: { type: "string", description: "Why, for approve and deny." },
      digest: { type: "string", description: "For approve: the digest of the action." },
    },
    "task_id",
    "request_id",
  ),
};
