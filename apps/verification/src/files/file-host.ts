/** An answer of Slack's file host, its body not yet read. */
export interface HostAnswer {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Read it to the end, or abort the signal that the request was made with. Throws as `get` does. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Where Slack keeps the bytes of files. */
export interface FileHost {
  /** Scheme, host and port; the bot's token goes there and nowhere else. */
  readonly origin: string;
  /**
   * Asks for a path of this origin with the bot's token. Follows no redirect. Rejects with a `FileRefusedError` when the connection
   * fails or the signal aborts.
   */
  readonly get: (path: string, signal: AbortSignal) => Promise<HostAnswer>;
}
