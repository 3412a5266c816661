import type { Writable } from "node:stream";
import type { DataArgs } from "./read-data-args.ts";
import type { ZoneData } from "./zone-data.ts";

/** What a command works with. */
export interface DataTools {
  readonly zones: readonly ZoneData[];
  readonly args: DataArgs;
  /** To standard output. */
  readonly print: (line: string) => void;
  /** To standard error: what is not the output itself. */
  readonly tell: (line: string) => void;
  readonly stdout: Writable;
  /** What a person types; nothing when there is none. */
  readonly ask: (question: string) => Promise<string | undefined>;
}
