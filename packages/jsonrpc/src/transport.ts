/** What goes along with a message. */
export interface SendOptions {
  /** Gives up: the send rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** How long the whole answer may take, milliseconds; after that the send rejects with `timeout`. */
  readonly timeoutMs: number;
  /** The same for every request of one task, so that a platform that routes by session reaches the process that has the task. */
  readonly session: string;
  readonly correlationId: string;
  /** The span that this message belongs to. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string | undefined;
  /** Gets each message that the server streams before its answer. */
  readonly onNotification?: ((message: Uint8Array) => void) | undefined;
}

/** Carries bytes from one zone to the other; knows nothing of what they say. */
export interface Transport {
  /**
   * Sends one message and gives its answer. Rejects with `LinkError` only: `unreachable`, `timeout`, `aborted`, or
   * `invalid_response` when what came back cannot be an answer. Never sends a message twice, except what was refused before it
   * was taken in, by a platform on the way or for a proof that is out of date: that a transport may repeat within `timeoutMs`, and
   * what it gives up is not retryable.
   */
  send(message: Uint8Array, options: SendOptions): Promise<Uint8Array>;
  /** Lets go of what the transport holds; what is sent later rejects with `unreachable`. */
  close(): Promise<void>;
}
