/** The type of a column in written rows. Text can't contain U+0000 or half a surrogate pair, except as JSON. */
export type ColumnKind = "text" | "bigint";
