/** What a model wrote about the messages of a thread that came before those that it gets in full. */
export interface ThreadSummary {
  /** Markdown. Names people by their Slack user ids. */
  readonly text: string;
  /** Messages that it covers, oldest first: the thread's first, and the newest of the others. */
  readonly covered: readonly CoveredMessage[];
  /** Slack user id of the person who wrote all that it covers; null when several people or the app did. */
  readonly author: string | null;
}

/** A message as it was when it was summarised. */
export interface CoveredMessage {
  /** Slack timestamp. */
  readonly ts: string;
  /** Of author and text. */
  readonly digest: string;
}

/** Keeps the summary of one thread from one question to the next. */
export interface ThreadMemory {
  /** Returns undefined when nothing is kept. */
  find(): Promise<ThreadSummary | undefined>;
  keep(summary: ThreadSummary): Promise<void>;
  /** Deletes what is kept: messages that it covers were edited or deleted. */
  drop(): Promise<void>;
}
