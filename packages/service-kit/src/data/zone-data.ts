/** A table of a zone, and how many of its rows belong to a team. */
export interface TableCount {
  readonly table: string;
  /** What the rows are, for people. */
  readonly holds: string;
  readonly rows: number;
}

/** A row of a team, as it is exported. */
export interface ExportedRow {
  readonly table: string;
  readonly row: Readonly<Record<string, unknown>>;
  /** Columns that are not shown: secrets, and what does not open with the keys that there are. */
  readonly left_out: readonly string[];
}

/** A question that failed so often that nobody tries again by itself. Nothing of what was written. */
export interface ParkedQuestion {
  readonly request_id: string;
  readonly team_id: string;
  /** Since it came, milliseconds. */
  readonly age_ms: number;
  readonly attempts: number;
  /** Why the last attempt failed, in words that hold nothing private. */
  readonly why: string;
}

/** A message of the bus that nobody could handle. Nothing of what was written. */
export interface UndeliveredMessage {
  /** Names it for `replay`. */
  readonly id: string;
  /** Who could not handle it. */
  readonly group: string;
  /** Since it was given up, milliseconds. */
  readonly age_ms: number;
  readonly attempts: number;
  /** In words that hold nothing private. */
  readonly why: string;
}

/** All that a zone keeps, for the commands that export, delete, re-encrypt and look at it. */
export interface ZoneData {
  readonly zone: string;
  /** Which database it is, without its password. */
  readonly at: string;
  count(team: string): Promise<readonly TableCount[]>;
  rows(team: string): AsyncIterable<ExportedRow>;
  /** `erased`: no byte of what was deleted is left in files that this can reach. */
  purge(team: string): Promise<{ readonly deleted: readonly Omit<TableCount, "holds">[]; readonly erased: boolean }>;
  /** Nothing when there are no keys. */
  reseal(): Promise<readonly { readonly table: string; readonly sealed: number; readonly failed: number }[]>;
  /** Absent in a zone that parks nothing. */
  readonly parked?: {
    list(): Promise<readonly ParkedQuestion[]>;
    /** False when there is no such question. */
    retry(requestId: string): Promise<boolean>;
  };
  /** Absent in a zone without a bus. */
  readonly deadLetters?: {
    /** The oldest first, `most` of each channel at the most. */
    list(most: number): Promise<readonly UndeliveredMessage[]>;
    /** Has one of them, or all, delivered again. Gives how many. */
    replay(id: string): Promise<number>;
  };
  close(): Promise<void>;
}
