/** Turns a message into the text of a column and back; a zone gives one that seals. `context` says which row the text belongs to. */
export interface ColumnCodec {
  readonly toColumn: (record: unknown, context: string) => string;
  /** Throws for what does not open, or is no JSON. */
  readonly fromColumn: (text: string, context: string) => unknown;
}

/** JSON in clear. */
export const plainColumns: ColumnCodec = {
  toColumn: (record) => JSON.stringify(record),
  fromColumn: (text) => JSON.parse(text) as unknown,
};

/** What the column `value` of all tables of the bus belongs to, so that a message can move from one to another as it is. */
export const messageContext = (row: { readonly channel: string; readonly key: string }): string =>
  `bus message ${row.channel} ${row.key}`;
