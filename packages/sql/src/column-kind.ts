/** What a column of written rows holds. Text may hold anything but U+0000 and half a surrogate pair; JSON within text may. */
export type ColumnKind = "text" | "bigint";
