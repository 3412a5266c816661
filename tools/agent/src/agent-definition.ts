import type { IncomingMessage, ServerResponse } from "node:http";

/** Something that the agent can do, for its card. */
export interface Skill {
  readonly name: string;
  /** Default: the description of the agent. */
  readonly description?: string;
  /** Default: the name in lower case, with hyphens. */
  readonly id?: string;
  readonly tags?: readonly string[];
  readonly examples?: readonly string[];
  readonly inputModes?: readonly string[];
  readonly outputModes?: readonly string[];
}

/** An HTTP request, as far as authentication needs it. */
export interface CallerRequest {
  readonly headers: { readonly get: (name: string) => string | null };
}

/** What an agent is, and its limits. */
export interface AgentOptions {
  readonly name: string;
  readonly description: string;
  /** Version of the agent, default `1.0.0`. */
  readonly version?: string;
  /** Default: one skill with the name and description of the agent. */
  readonly skills?: readonly Skill[];
  /** Media types that the agent accepts, default `text/plain` and `application/json`. `image/*` is a range. Messages with others are refused. */
  readonly inputModes?: readonly string[];
  /** Media types of the answers, default `text/plain`. */
  readonly outputModes?: readonly string[];
  readonly iconUrl?: string;
  readonly documentationUrl?: string;
  readonly provider?: { readonly organization: string; readonly url: string };
  /** More members of the agent card, such as `securitySchemes`. They replace generated ones. */
  readonly card?: Readonly<Record<string, unknown>>;
  /** URL at which clients reach the agent. Default: the URL of the request for the card. Set it behind a proxy. */
  readonly url?: string;
  /** Requires one of these bearer tokens. Callers with different tokens don't see each other's tasks. */
  readonly token?: string | readonly string[];
  /** Returns the name of the caller; undefined refuses the request. Callers don't see each other's tasks. Replaces `token`. */
  readonly authenticate?: (request: CallerRequest) => string | undefined | Promise<string | undefined>;
  /** Largest request body, bytes (default 10 MiB). */
  readonly maxBodyBytes?: number;
  /** Tasks kept in memory (default 1,000). The oldest ended ones are dropped first. */
  readonly maxTasks?: number;
  /** Longest time of a task between two questions, milliseconds (default 15 minutes). */
  readonly taskTimeoutMs?: number;
  /** Longest time that a question stays open, milliseconds (default 24 hours). */
  readonly questionTimeoutMs?: number;
  /** Receives what a handler throws. Default: writes it to stderr. */
  readonly onError?: (error: unknown, taskId: string) => void;
}

/** A file of a message: its bytes, or a link to them. */
export interface MessageFile {
  readonly name?: string;
  /** For example `image/png`. */
  readonly mediaType?: string;
  /** Present unless the file is a link. */
  readonly bytes?: Uint8Array;
  /** A link that the sender chose. Download it with `fetch`, and only if you trust the sender. */
  readonly url?: string;
}

/** What a person wrote to the agent. */
export interface Message {
  readonly messageId: string;
  /** What the person wrote, unchanged; then content of others, such as a forwarded message, each under a label. */
  readonly text: string;
  /** Values of data parts. */
  readonly data: readonly unknown[];
  readonly files: readonly MessageFile[];
  /** Identifies the conversation: the same for all messages of a Slack thread. */
  readonly contextId: string;
  readonly taskId: string;
  /**
   * Other members of the input, such as those of a workflow step. `others` has the content of others, without labels; `thread` has the earlier
   * messages if the agent's `send_thread` is set.
   */
  readonly metadata: Readonly<Record<string, unknown>>;
  /** Who sent the message, as `authenticate` named them; empty without it. */
  readonly caller: string;
}

/** What a language model used. Several reports of one task are added up. */
export interface Usage {
  readonly inputTokens?: number;
  readonly outputTokens?: number;
  readonly cachedInputTokens?: number;
  /** US dollars. */
  readonly cost?: number;
}

/** The task of a message. After it has ended or was canceled, its methods do nothing, and `ask` rejects. */
export interface TaskHandle {
  readonly id: string;
  readonly contextId: string;
  /** Aborts when the task is canceled or takes too long. Pass it to `fetch` and to models. */
  readonly signal: AbortSignal;
  /** Shows what the agent is doing, until the next progress or the answer. */
  readonly progress: (text: string) => void;
  /** Streams a piece of the answer. Throws a `RangeError` when the answer becomes larger than 32 MiB. */
  readonly write: (text: string) => void;
  /** Adds a file to the answer: bytes, text, or a `URL` for a link. Throws a `RangeError` when the answer becomes larger than 32 MiB. */
  readonly file: (name: string, mediaType: string, content: Uint8Array | string | URL) => void;
  /** Adds a JSON value to the answer. Throws a `TypeError` for a value that is not JSON. */
  readonly data: (value: unknown) => void;
  /** Asks the person a question and resolves with their next message. Rejects with the signal's reason. */
  readonly ask: (question: string) => Promise<Message>;
  /** Offers up to 4 questions, of at most 75 characters each, that the person can ask next by a button. */
  readonly followUps: (questions: readonly string[]) => void;
  /** Reports what a language model used. */
  readonly usage: (usage: Usage) => void;
}

/** The answer: a text, pieces of text, or nothing when all of it was written. */
export type Answer = string | AsyncIterable<string> | undefined | void;

/**
 * Answers a message. What it returns is added to the answer; an error that it throws fails the task. The client sees the
 * message of a `UserError`, and of other errors only that the agent failed.
 */
export type Handler = (message: Message, task: TaskHandle) => Answer | Promise<Answer>;

/** Answers requests of `node:http` or Express. */
export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** An error whose message may be shown to the requester. */
export class UserError extends Error {
  override readonly name: string = "UserError";
}
