/** A response of Slack's file host, with its body unread. */
export interface HostAnswer {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Read it to the end, or abort the request's signal. Throws as `get` does. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Slack's file host. */
export interface FileHost {
  /** Scheme, host and port. The bot's token is sent only there. */
  readonly origin: string;
  /**
   * Requests a path of this origin with the bot's token. Follows no redirects. Rejects with a `FileRefusedError` when the connection fails
   * or the signal aborts.
   */
  readonly get: (path: string, signal: AbortSignal) => Promise<HostAnswer>;
}
