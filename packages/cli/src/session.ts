import type { ApiClient } from "./api/api-client.ts";

/** An output stream; a terminal knows its size. */
export type Output = NodeJS.WritableStream & {
  readonly isTTY?: boolean;
  readonly columns?: number;
  readonly rows?: number;
};

/** The environment of a command. */
export interface Session {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Returns the client; throws a `UsageError` when the environment does not say how to reach the zone. */
  readonly api: () => ApiClient;
  readonly stdin: AsyncIterable<Uint8Array | string>;
  /** For results. */
  readonly stdout: Output;
  /** For progress and errors. */
  readonly stderr: Output;
  /** Whether progress can be redrawn in place. */
  readonly isLive: boolean;
  /** Calls the listener at each Ctrl-C. Returns a function that removes the listener. */
  readonly onInterrupt: (listener: () => void) => () => void;
  /** Calls the listener when the process is asked to end: Ctrl-C, SIGTERM, SIGHUP. Returns a function that removes the listener. */
  readonly onStop: (listener: () => void) => () => void;
  /** How to start a local Crosszone from this repository; the published package is used when absent. */
  readonly localCrosszone?: readonly [command: string, ...args: string[]] | undefined;
}
