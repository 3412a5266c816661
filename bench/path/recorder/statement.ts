/** A statement that a zone sent to its database. */
export interface Statement {
  readonly text: string;
  /** Rows that it changed or returned, and the rows of a query; `undefined` while it runs, and after an error. */
  rows?: number;
  /** One number for each connection. */
  readonly connection: number;
  /** Sent before the answer to the statement before it: it shares that one's round trip. */
  readonly pipelined: boolean;
  /** In one transaction with the statement before it, without `begin`. */
  readonly joined: boolean;
}

/** Gets every statement as it is sent. */
export type OnStatement = (statement: Statement) => void;
