import type { AgentRecord } from "@crosszone/contracts";
import type { HeldBytes } from "@crosszone/service-kit";
import type { AgentReply } from "../protocol/protocol-adapter.ts";

/** What a caller still needs of a stream: any further event, only what is on its way already, or nothing. */
export type StreamNeed = "more" | "rest" | "nothing";

/** An HTTP request to an agent: a POST of its body, or a GET without one. */
export interface AgentRequest {
  /** Its credentials and the `url` to call. */
  readonly agent: AgentRecord;
  /** Another URL at the agent's origin. */
  readonly url?: string;
  /** JSON text. */
  readonly body?: string;
  /** Besides content type, `accept` and credentials. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Value of the `accept` header. Default JSON, and events when there is an `onEvent`. */
  readonly accept?: string;
  /** Largest answer, bytes; never more than the client's own limit. */
  readonly maxBytes?: number;
  /** Of the whole request, or of the silence of a stream: an event, a comment or any other bytes end it. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /**
   * Called with the data of each event of a `text/event-stream`; the body of such a response is empty. An error that it
   * throws ends the stream and is rethrown.
   */
  readonly onEvent?: (data: Uint8Array) => StreamNeed;
  /** Called when the response has begun and is a stream of events. */
  readonly onOpen?: () => void;
  /** Returns whether bytes without an event, such as comments, keep a stream open. They do when absent. */
  readonly staysOpen?: () => boolean;
  /** What the call holds in memory: a large answer waits at the agent until there is room. Without it, none waits. */
  readonly held?: HeldBytes | undefined;
}

/**
 * Calls agents over HTTP: pooled, size-limited, only at allowed addresses, without following redirects. Throws an
 * `AgentFailure` when no answer comes, and the signal's reason when aborted.
 */
export interface AgentClient {
  /** Throws a `TypeError` for a URL at another origin than the agent's. */
  readonly send: (request: AgentRequest) => Promise<AgentReply>;
  /**
   * Fetches the agent card from its possible URLs. Returns the first response when none of them is a JSON object. Throws an `AgentFailure`
   * `card_refused` for a card that is not trusted.
   */
  readonly fetchCard: (request: AgentRequest) => Promise<AgentReply>;
  /** Whether `fetchCard` checks the signatures of cards. */
  readonly checksCards?: boolean;
  /** Returns a `fetch` for any request to the agent's origin, with its credentials. */
  readonly fetchAs: (agent: AgentRecord) => typeof globalThis.fetch;
  readonly close: () => Promise<void>;
}
