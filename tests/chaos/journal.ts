/** An event of a run. */
export interface Entry {
  /** Milliseconds after the start. */
  readonly at: number;
  /** `chaos`, `Slack`, or a process such as `verification 3`. */
  readonly by: string;
  readonly what: string;
  /** Other fields of its log line. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** All events of a run in order: disturbances, deliveries, and the zones' log lines. */
export interface Journal {
  readonly entries: readonly Entry[];
  /** Milliseconds after the start. */
  readonly now: () => number;
  readonly note: (by: string, what: string, fields?: Entry["fields"]) => void;
  /** Sets the start to now. Earlier events get the time 0. */
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
    note: (by, what, fields) => void entries.push({ at: now(), by, what, fields }),
  };
}
