import {
  type AgentError,
  type AgentErrorKind,
  agentErrorTable,
  type AgentProtocolConfig,
  type AgentTask,
} from "@crosszone/contracts";
import { JsonTextError, parseExactJson } from "@crosszone/contracts/json";
import { hideSecrets } from "@crosszone/service-kit";

/** Details of a failure besides its kind and message. */
export interface AgentFailureDetail {
  /** JSON-RPC error code, or HTTP status. */
  readonly code?: number;
  /** The agent's own data about it. */
  readonly data?: unknown;
  /** Whether the same request can be retried; by default it depends on the kind. */
  readonly retryable?: boolean;
  /** The pause that the agent requests, milliseconds. */
  readonly retryAfterMs?: number;
  readonly cause?: unknown;
}

const quotingKinds: ReadonlySet<AgentErrorKind> = new Set([
  "rpc_error",
  "rpc_unavailable",
  "task_failed",
  "task_canceled",
  "task_rejected",
  "input_required",
  "auth_required",
]);

/**
 * Why an agent gave no result. The message is for the agent's operator: it says what was wrong and contains no secrets.
 */
export class AgentFailure extends Error {
  override readonly name: string = "AgentFailure";
  readonly kind: AgentErrorKind;
  readonly retryable: boolean;
  readonly code: number | undefined;
  readonly data: unknown;
  readonly retryAfterMs: number | undefined;

  constructor(kind: AgentErrorKind, message: string, detail: AgentFailureDetail = {}) {
    super(message, { cause: detail.cause });
    this.kind = kind;
    this.retryable = detail.retryable ?? agentErrorTable[kind].retryable;
    this.code = detail.code;
    this.data = detail.data;
    this.retryAfterMs = detail.retryAfterMs;
  }

  /** Whether the message has the agent's own words. */
  get quotesOthers(): boolean {
    return this.data !== undefined || quotingKinds.has(this.kind);
  }

  /** Returns the failure in the form of an `AgentResult`. */
  toJSON(): AgentError {
    const { kind, message, retryable, code, data } = this;
    return { kind, message, retryable, code, data };
  }
}

/** To the agent's protocol (`request`), or from it (`response`). */
export type TranslationDirection = "request" | "response";

interface TranslationErrorDetail extends AgentFailureDetail {
  readonly protocol: string;
  readonly direction: TranslationDirection;
  /** The data that couldn't be translated. Only for logs, which shorten and redact it; never for a result. */
  readonly originalData: unknown;
}

/**
 * Data that can't be expressed in a protocol, or breaks it. A retry would give the same result, so it is not retried.
 */
export class ProtocolTranslationError extends AgentFailure {
  override readonly name = "ProtocolTranslationError";
  readonly protocol: string;
  readonly direction: TranslationDirection;
  readonly originalData: unknown;

  constructor(kind: AgentErrorKind, message: string, detail: TranslationErrorDetail) {
    super(kind, message, detail);
    this.protocol = detail.protocol;
    this.direction = detail.direction;
    this.originalData = detail.originalData;
  }

  /** A response that breaks a protocol is quoted. */
  override get quotesOthers(): boolean {
    return this.direction === "response";
  }
}

/**
 * Converts an error of an agent call to a failure. An unexpected error becomes `internal`, with its text in `cause`,
 * for the log.
 */
export function asFailure(error: unknown): AgentFailure {
  if (error instanceof AgentFailure) return error;
  return new AgentFailure("internal", "An unexpected error occurred while the agent was called.", { cause: error });
}

/** An HTTP response, whatever its status. */
export interface AgentReply {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Uint8Array;
}

/** The meaning of a reply: the task has ended, or the agent is working and is polled by its own id of the task. */
export type Reading =
  /** The same for every protocol. `output` is null and `failure` is set exactly when the task failed. */
  (
    | { readonly state: "ended"; readonly output: unknown; readonly failure?: AgentFailure | undefined }
    | {
        readonly state: "working";
        readonly remoteId: string;
        /** The agent's progress, in its own words. */
        readonly progress?: string;
      }
  ) & {
    /** Read from a stream: artifacts and messages so far, as artifacts of A2A 0.3. Later events change the same items. */
    readonly artifacts?: readonly unknown[];
    /** Read from a stream: the result is the answer only if no other event follows. */
    readonly isOpen?: boolean;
    /** Harmless deviations from the protocol, one sentence each. */
    readonly warnings: readonly string[];
    /** Identifies the question that the task waits with, when the agent gives it an id or a time. */
    readonly questionId?: string;
    /** Set when the task succeeded, but its output wasn't recognized, so that the output is the whole result. */
    readonly extractionError?: ProtocolTranslationError;
  };

export type EndedReading = Extract<Reading, { readonly state: "ended" }>;

/** Translates between Crosszone and one agent protocol. Pure: no clock and no I/O. */
export interface ProtocolAdapter {
  readonly protocol: string;
  /** Headers of each request, names in lower case. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Names of the headers that activate extensions of A2A, in lower case; absent when the protocol has no extensions. */
  readonly extensionHeaders?: readonly string[];
  /** False when a request of this protocol has no place for files. */
  readonly takesFiles?: false;
  /** Returns the body of the first request, JSON. The same task gives the same bytes, so that it can be retried. */
  readonly toRequest: (task: AgentTask) => unknown;
  /** Reads a reply to `toRequest` or `toPoll`. Throws a `ProtocolTranslationError` when it breaks the protocol's envelope. */
  readonly fromResponse: (reply: AgentReply, task: AgentTask) => Reading;
  /** Returns the body of a request that starts a task and streams its events; absent when the protocol has no such request. */
  readonly toStream?: (task: AgentTask) => unknown;
  /** Returns the body of a request that streams a running task's later events; absent when the protocol has no such request. */
  readonly toSubscribe?: (task: AgentTask, remoteId: string) => unknown;
  /** Returns a function that reads the events of one stream, each like a reply. Each reading covers the task so far. */
  readonly createEventReader?: (task: AgentTask) => (event: AgentReply) => Reading;
  /** Returns the body of a request that polls a task; absent when the protocol has none. */
  readonly toPoll?: (task: AgentTask, remoteId: string) => unknown;
  /** Returns the body of a request that cancels a task; absent when the protocol has none. */
  readonly toCancel?: (task: AgentTask, remoteId: string) => unknown;
}

/** Creates the adapter for one agent. Throws an `AgentFailure` for an invalid configuration. */
export type CreateAdapter = (config: AgentProtocolConfig) => ProtocolAdapter;

export const success = (output: unknown, warnings: readonly string[] = []): EndedReading => ({
  state: "ended",
  output,
  warnings,
});

export const failedWith = (failure: AgentFailure, warnings: readonly string[] = []): EndedReading => ({
  state: "ended",
  output: null,
  failure,
  warnings,
});

/** Returns why the task has failed; undefined while it works and when it succeeded. */
export const failureIn = (reading: Reading): AgentFailure | undefined =>
  reading.state === "ended" ? reading.failure : undefined;

/** Maximum length of an agent's text in a message for people, UTF-16 units. */
const mostUnits = 1_000;

/** Longer text is searched for secrets only up to here. */
const searchedUnits = 4_000;

/**
 * Returns an agent's text for use in a message: one line, without secrets, of limited length. Undefined when it is
 * empty.
 */
export function agentWords(said: unknown): string | undefined {
  const text = typeof said === "string" ? said : JSON.stringify(said);
  if (text === undefined || said === null) return undefined;
  const line = hideSecrets(text.slice(0, searchedUnits))
    // oxlint-disable-next-line no-control-regex -- they would break the line
    .replaceAll(/[\u0000-\u0020\u007f-\u009f\u2028\u2029]+/g, " ")
    .trim();
  if (line === "") return undefined;
  return (
    line.length > mostUnits || text.length > searchedUnits ? `${line.slice(0, mostUnits)}…` : line
  ).toWellFormed();
}

export function isSuccessStatus(status: number): boolean {
  return status >= 200 && status < 300;
}

/**
 * Returns the failure of an HTTP status without a response of the agent's protocol.
 * https://www.rfc-editor.org/rfc/rfc9110#section-15
 */
export function failureOfStatus({ status, body }: AgentReply): AgentFailure {
  const kind = kindOf(status);
  const said = agentWords(new TextDecoder().decode(body.subarray(0, 4_096)));
  return new AgentFailure(kind, `The agent answered with HTTP ${status}: ${meaning[kind]}.`, {
    code: status,
    data: said,
  });
}

const meaning = {
  unauthorized: "it rejects our credentials; check the agent's auth in the registry",
  rate_limited: "it is overloaded",
  http_unavailable: "it can't answer right now",
  http_error: "it rejects the request; check the agent's url and protocol in the registry",
} satisfies Partial<Record<AgentErrorKind, string>>;

function kindOf(status: number): keyof typeof meaning {
  if (status === 401 || status === 403) return "unauthorized";
  if (status === 429) return "rate_limited";
  return status === 408 || status === 425 || status >= 500 ? "http_unavailable" : "http_error";
}

/** The deepest nesting of arrays and objects. Beyond some depth, JSON.stringify fails. */
const maxDepth = 128;

/** The places of numbers that are shown, calculated with or approved, by their pointer. */
const usedNumbers = /\/(data|args|arguments)(\/|$)|^\/output(\/|$)|hitl/;

/**
 * Parses the body of a reply as JSON in UTF-8. Throws a `ProtocolTranslationError` that contains the body: `not_json`, or `invalid_response`
 * for values that would change. Such a number that nobody uses, as in metadata, becomes its text.
 */
export function readReplyJson({ body, status }: AgentReply, protocol: string): unknown {
  try {
    return parseExactJson(body, { maxDepth, areTexts: (pointer) => !usedNumbers.test(pointer) });
  } catch (cause) {
    if (!(cause instanceof JsonTextError)) throw cause;
    const wrong = body.byteLength === 0 ? "is empty instead of JSON" : cause.message;
    const message = `The agent's answer (HTTP ${status}, ${body.byteLength} bytes) ${wrong}.`;
    const originalData = new TextDecoder().decode(body.subarray(0, 16_384));
    const kind = cause.kind === "number" || cause.kind === "duplicate" ? "invalid_response" : "not_json";
    throw new ProtocolTranslationError(kind, message, { protocol, direction: "response", originalData, cause });
  }
}
