/** Converts a message to the text of a column and back; a zone passes one that seals. `context` identifies the row. */
export interface ColumnCodec {
  readonly toColumn: (record: unknown, context: string) => string;
  /** Throws when the text can't be unsealed or is not JSON. */
  readonly fromColumn: (text: string, context: string) => unknown;
}

/** Unsealed JSON. */
export const plainColumns: ColumnCodec = {
  toColumn: (record) => JSON.stringify(record),
  fromColumn: (text) => JSON.parse(text) as unknown,
};

/** Returns the context of the column `value`, the same in all tables of the bus, so that a message can move between them. */
export const messageContext = (row: { readonly channel: string; readonly key: string }): string =>
  `bus message ${row.channel} ${row.key}`;
