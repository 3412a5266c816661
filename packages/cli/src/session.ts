import type { ApiClient } from "./api/api-client.ts";

/** Where text goes; a terminal knows its size. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** What a command has around it. */
export interface Session {
  /** The zone; throws a `UsageError` when the environment does not say how to reach it. */
  readonly api: () => ApiClient;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** For what was asked for. */
  readonly stdout: Output;
  /** For what is told on the way. */
  readonly stderr: Output;
  /** Whether progress may be drawn over itself. */
  readonly isLive: boolean;
  /** Calls the listener at each Ctrl-C, until what it returns is called. */
  readonly onInterrupt: (listener: () => void) => () => void;
}
