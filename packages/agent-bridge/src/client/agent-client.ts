import type { AgentRecord } from "@crosszone/contracts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";

/** An HTTP request to an agent. */
export interface AgentRequest {
  /** Its credentials and the `url` to call. */
  readonly agent: AgentRecord;
  /** JSON text. */
  readonly body: string;
  /** Besides content type, `accept` and credentials. */
  readonly headers: Readonly<Record<string, string>>;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** A request whose response may be a stream. `timeoutMs` limits the time between events, not the whole stream. */
export interface StreamRequest extends AgentRequest {
  /** Called with the data of each event. Return true to end the stream. An error that it throws ends the stream and is rethrown. */
  readonly onEvent: (data: Uint8Array) => boolean;
  /** Called when the response has begun and is a stream of events. */
  readonly onOpen?: () => void;
}

/** A request for a file of an agent. */
export interface FileRequest extends Pick<AgentRequest, "agent" | "timeoutMs" | "signal"> {
  readonly url: string;
  /** Largest file, bytes; never more than the client's own limit. */
  readonly maxBytes: number;
}

/**
 * Calls agents over HTTP: pooled, size-limited, only at allowed addresses, without following redirects. Throws an
 * `AgentFailure` when no answer comes, and the signal's reason when aborted.
 */
export interface AgentClient {
  readonly post: (request: AgentRequest) => Promise<AgentReply>;
  /** Like `post`, for a response that may be `text/event-stream`. Each event goes to `onEvent`, and the body of such a response is empty. */
  readonly stream: (request: StreamRequest) => Promise<AgentReply>;
  /** Fetches the agent card from its possible URLs. Returns the first response when none of them is a JSON object. */
  readonly fetchCard: (request: Pick<AgentRequest, "agent" | "timeoutMs" | "signal">) => Promise<AgentReply>;
  /** Fetches a file of the agent by its URL, with the credentials of the agent. Throws for an origin other than the agent's. */
  readonly fetchFile: (request: FileRequest) => Promise<AgentReply>;
  /** Returns a `fetch` for any request to the agent's origin, with its credentials. */
  readonly fetchAs: (agent: AgentRecord) => typeof globalThis.fetch;
  readonly close: () => Promise<void>;
}
