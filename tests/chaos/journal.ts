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

export type Journal = ReturnType<typeof openJournal>;

/** Opens the record of all events of a run in order: disturbances, deliveries, and the zones' log lines. */
export function openJournal() {
  let startedAt = performance.now();
  let entries: Entry[] = [];
  /** Milliseconds after the start. */
  const now = (): number => Math.round(performance.now() - startedAt);
  return {
    get entries(): readonly Entry[] {
      return entries;
    },
    now,
    /** Sets the start to now. Earlier events get the time 0. */
    begin: () => {
      startedAt = performance.now();
      entries = entries.map((entry) => ({ ...entry, at: 0 }));
    },
    note: (by: string, what: string, fields?: Entry["fields"]) => void entries.push({ at: now(), by, what, fields }),
  };
}
