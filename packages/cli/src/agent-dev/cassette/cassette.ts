import type { MessageFile, UserMessage } from "../talk/converse.ts";
import type { AnswerFile } from "../talk/agent-answer.ts";
import type { ModelExchange } from "../model/model-exchange.ts";
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
