/** A model's summary of a thread's older messages, which the model no longer gets in full. */
export interface ThreadSummary {
  /** Markdown. Names people by their Slack user ids. */
  readonly text: string;
  /** The covered messages, oldest first: the thread's first, and the newest of the others. */
  readonly covered: readonly CoveredMessage[];
  /** Slack user id of the only author of the covered messages; null when several people or the app wrote them. */
  readonly author: string | null;
}

/** A message at the time of the summary. */
export interface CoveredMessage {
  /** Slack timestamp. */
  readonly ts: string;
  /** Digest of author and text. */
  readonly digest: string;
}

/** Stores the summary of one thread between questions. */
export interface ThreadMemory {
  /** Returns undefined when no summary is stored. */
  find(): Promise<ThreadSummary | undefined>;
  keep(summary: ThreadSummary): Promise<void>;
  /** Deletes the summary, because covered messages were edited or deleted. */
  drop(): Promise<void>;
}
