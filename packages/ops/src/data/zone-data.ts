import type { Writable } from "node:stream";
import type { DataArgs } from "./read-data-args.ts";

/** A table of a zone, and the number of its rows that belong to a team. */
export interface TableCount {
  readonly table: string;
  /** Description of the rows. */
  readonly holds: string;
  readonly rows: number;
}

/** A row of a team in an export. */
export interface ExportedRow {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
  /** Omitted columns: secrets, and values that the configured keys can't decrypt. */
  readonly left_out: readonly string[];
}

/** A question that failed too often and is no longer retried automatically. Contains no text of people. */
export interface ParkedQuestion {
  readonly request_id: string;
  readonly team_id: string;
  /** Milliseconds since it arrived. */
  readonly age_ms: number;
  readonly attempts: number;
  /** Why the last attempt failed; contains nothing private. */
  readonly why: string;
}

/** A dead letter of the bus, without its content. */
export interface UndeliveredMessage {
  /** Identifies it for `replay`. */
  readonly id: string;
  /** The consumer group that failed. */
  readonly group: string;
  /** Milliseconds since it became a dead letter. */
  readonly age_ms: number;
  readonly attempts: number;
  /** Contains nothing private. */
  readonly why: string;
}

/** The data of a zone, for the commands that export, delete, re-encrypt and list it. */
export interface ZoneData {
  readonly zone: string;
  /** The database, without its password. */
  readonly at: string;
  count(team: string): Promise<readonly TableCount[]>;
  rows(team: string): AsyncIterable<ExportedRow>;
  /** `erased`: the deleted bytes are gone from all files that the process can reach. */
  purge(team: string): Promise<{ readonly deleted: readonly Omit<TableCount, "holds">[]; readonly erased: boolean }>;
  /** Undefined when no keys are configured. */
  reseal(): Promise<readonly { readonly table: string; readonly sealed: number; readonly failed: number }[]>;
  /** Absent in a zone that does not park questions. */
  readonly parked?: {
    list(): Promise<readonly ParkedQuestion[]>;
    /** Resolves with false if the question does not exist. */
    retry(requestId: string): Promise<boolean>;
  };
  /** Absent in a zone without a bus. */
  readonly deadLetters?: {
    /** Oldest first, at most `most` of each channel. */
    list(most: number): Promise<readonly UndeliveredMessage[]>;
    /** Delivers one dead letter, or all, again. Resolves with their number. */
    replay(id: string): Promise<number>;
  };
  close(): Promise<void>;
}

/** Arguments and streams of a command. */
export interface DataTools {
  readonly zones: readonly ZoneData[];
  readonly args: DataArgs;
  /** To standard output. */
  readonly print: (line: string) => void;
  /** Prints to the standard error. */
  readonly printError: (line: string) => void;
  readonly stdout: Writable;
  /** Asks the user. Resolves with undefined without a user. */
  readonly ask: (question: string) => Promise<string | undefined>;
}
