/** What people need to know of a table. The names and types of its columns come from the database itself. */
export interface TableDescription {
  readonly row: string;
  readonly writers: string;
  readonly readers: string;
  /** When a row is deleted. */
  readonly deleted: string;
  /** Every column with its meaning. */
  readonly columns: Readonly<Record<string, string>>;
}

export type TableDescriptions = Readonly<Record<string, TableDescription>>;

/** The columns of every job, in both zones. */
export const jobColumns = {
  sequence: "order of insertion, for jobs that are due at the same time",
  id: "the job's id, unique within its kind",
  kind: "what the job is, and which code runs it",
  share: "jobs of one share run oldest first; free room goes to the shares in turn. Begins with the kind",
  lane: "jobs of one lane run one after the other, in order of insertion",
  key: "identifies the request: a kind has at most one job of a key",
  state: "0 ready, 1 leased, 2 behind another job of its lane, 3 waiting for another job or program, 4 ended, 5 parked",
  attempt: "how often it was leased; with `owner` it identifies a lease",
  owner: "the process that has the lease, or that ended the job",
  due_at: "when it can be leased",
  created_at: "when it was inserted",
  deadline_at: "when it must have ended",
  ended_at: "when it ended or was parked",
  parent: "the task or run that waits for its end",
  team: "whose data it is, to delete it on request",
  outcome: "how it ended, a word of its kind",
  record: "what never changes, JSON without text of people",
  input: "what to do, JSON, may be encrypted; emptied at the end",
  output: "the result, JSON, may be encrypted",
} as const;

export const jobWorker: TableDescription = {
  row: "a process that leases jobs, and until when",
  writers: "the process, three times per lease",
  readers: "every process, to take over jobs of crashed ones",
  deleted: "when the process stops, or its lease expires",
  columns: {
    owner: "the process: a random id of its start",
    alive_until: "when its leases expire, unless it renews them",
  },
};
