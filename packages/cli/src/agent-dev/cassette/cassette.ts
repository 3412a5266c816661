import type { ModelExchange } from "../model/model-exchange.ts";
import type { AnswerFile } from "../talk/agent-answer.ts";
import type { MessageFile, UserMessage } from "../talk/converse.ts";
import type { WireExchange } from "../wire/wire-exchange.ts";

/** How an answer is judged. Every judgement of a cassette must hold. */
export type Judgement =
  /** A text: the answer's text. Anything else: its data, as JSON. */
  | { readonly exact: unknown }
  /** Texts that the answer's text contains. */
  | { readonly contains: readonly string[] }
  /** A regular expression that the answer's text matches. */
  | { readonly matches: string }
  /** A JSON Schema for the answer's data, or for its text as JSON. */
  | { readonly schema: Readonly<Record<string, unknown>> }
  /** The state of the answer. Without it, the answer must be `completed`. */
  | { readonly state: string }
  /** What a language model checks. */
  | { readonly rubric: string };

export interface CassetteAnswer {
  readonly state: string;
  readonly text: string;
  readonly data?: readonly unknown[];
  readonly files?: readonly AnswerFile[];
}

/** A recorded conversation with an agent: what people wrote, what it answered, and everything that went over the wire. */
export interface Cassette {
  readonly name: string;
  /** RFC 3339. */
  readonly recorded_at?: string;
  /** One conversation. The answer to the last message is judged. */
  readonly messages: readonly CassetteMessage[];
  readonly answer?: CassetteAnswer;
  readonly expect: readonly Judgement[];
  readonly wire?: readonly WireExchange[];
  readonly model?: readonly ModelExchange[];
}

export interface CassetteMessage extends UserMessage {
  readonly files?: readonly MessageFile[];
}

const text = { type: "string" };
const texts = { type: "array", items: text, minItems: 1 };

const file = {
  type: "object",
  required: ["name", "media_type", "bytes"],
  properties: { name: text, media_type: text, bytes: { type: "string", contentEncoding: "base64" } },
};

/** The judgements by their only member. */
const judgementSchemas: Readonly<Record<string, object>> = {
  exact: {},
  contains: texts,
  matches: text,
  schema: { type: "object" },
  state: text,
  rubric: { type: "string", minLength: 1 },
};

/** JSON Schema of a cassette. `$schema` lets editors check it. */
export const cassetteSchema: object = {
  type: "object",
  required: ["name", "messages", "expect"],
  additionalProperties: false,
  properties: {
    $schema: text,
    name: { type: "string", minLength: 1 },
    recorded_at: text,
    messages: {
      type: "array",
      minItems: 1,
      items: {
        type: "object",
        required: ["text"],
        additionalProperties: false,
        properties: { text, files: { type: "array", items: file } },
      },
    },
    answer: { type: "object", required: ["state", "text"] },
    expect: {
      type: "array",
      items: {
        type: "object",
        minProperties: 1,
        maxProperties: 1,
        additionalProperties: false,
        properties: judgementSchemas,
      },
    },
    wire: { type: "array", items: { type: "object" } },
    model: {
      type: "array",
      items: {
        type: "object",
        required: ["provider", "path", "at", "request", "status", "content_type"],
        properties: {
          provider: { enum: ["openai", "anthropic"] },
          path: text,
          at: { type: "string", pattern: "^\\d{4}-\\d{2}-\\d{2}T" },
          status: { type: "integer", minimum: 100, maximum: 599 },
          content_type: text,
          chunks: { type: "array", items: { type: "object", required: ["text"], properties: { text } } },
        },
      },
    },
  },
};
