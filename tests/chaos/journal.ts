/** One thing that happened. */
export interface Entry {
  /** Milliseconds after the start. */
  readonly at: number;
  /** Whose it is: `chaos`, `Slack`, or a process, as in `verification 3`. */
  readonly by: string;
  readonly what: string;
  /** What its log line said beside. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** Everything that happened, in order: what was broken, what was delivered, and every line that a zone logged. */
export interface Journal {
  readonly entries: readonly Entry[];
  /** Milliseconds after the start. */
  readonly now: () => number;
  readonly note: (by: string, what: string, fields?: Entry["fields"]) => void;
  /** Counts the time from now on; what was noted before is at 0. */
  readonly begin: () => void;
}

export function openJournal(): Journal {
  let startedAt = performance.now();
  let entries: Entry[] = [];
  const now = (): number => Math.round(performance.now() - startedAt);
  return {
    get entries() {
      return entries;
    },
    now,
    begin: () => {
      startedAt = performance.now();
      entries = entries.map((entry) => ({ ...entry, at: 0 }));
    },
    note: (by, what, fields) => void entries.push({ at: now(), by, what, ...(fields && { fields }) }),
  };
}
