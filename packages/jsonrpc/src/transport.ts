/** Options of a message. */
export interface SendOptions {
  /** Aborts the send, which rejects with `aborted`. */
  readonly signal?: AbortSignal | undefined;
  /** Timeout of the whole response, milliseconds; then the send rejects with `timeout`. */
  readonly timeoutMs: number;
  /** The same for every request of one task, so that a platform with session routing reaches the process that has the task. */
  readonly session: string;
  readonly correlationId: string;
  /** The parent span of this message. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string | undefined;
  /** Receives each message that the server streams before its response. */
  readonly onNotification?: ((message: Uint8Array) => void) | undefined;
}

/** Transfers bytes between zones, whatever their content. */
export interface Transport {
  /**
   * Sends one message and returns its response. Rejects with a `LinkError` only: `unreachable`, `timeout`, `aborted`, or
   * `invalid_response`. Never sends a message twice, with one exception: a message that a platform or an outdated proof refused before
   * processing may be repeated within `timeoutMs`, and the final failure is then not retryable.
   */
  send(message: Uint8Array, options: SendOptions): Promise<Uint8Array>;
  /** Releases the transport's resources. Later sends reject with `unreachable`. */
  close(): Promise<void>;
}
