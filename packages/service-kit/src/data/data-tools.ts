import type { Writable } from "node:stream";
import type { DataArgs } from "./read-data-args.ts";
import type { ZoneData } from "./zone-data.ts";

/** Arguments and streams of a command. */
export interface DataTools {
  readonly zones: readonly ZoneData[];
  readonly args: DataArgs;
  /** To standard output. */
  readonly print: (line: string) => void;
  /** Prints to the standard error. */
  readonly tell: (line: string) => void;
  readonly stdout: Writable;
  /** Asks the user; resolves with undefined if there is none. */
  readonly ask: (question: string) => Promise<string | undefined>;
}
