import { sql, type RawBuilder } from "kysely";
import type { Engine } from "./database.ts";

/** Consecutive columns of an index with their values. */
export type IndexColumns = Readonly<Record<string, unknown>>;

/**
 * Returns a condition for a range of an index: rows with the values `same`, after and up to given values in the following columns. On
 * PostgreSQL it compares whole rows: a planner without statistics expects few rows with equal values, so that sorting them looks cheap. To
 * read in index order, order the query by all columns of the index.
 */
export function indexRange(
  engine: Engine,
  same: IndexColumns,
  { after = {}, upTo = {} }: { readonly after?: IndexColumns; readonly upTo?: IndexColumns } = {},
): RawBuilder<boolean> {
  const compare = (operator: string, columns: IndexColumns): RawBuilder<boolean> => sql<boolean>`
    (${sql.join(Object.keys(columns).map((name) => sql.ref(name)))}) ${sql.raw(operator)} (${sql.join(Object.values(columns))})`;
  const isBound = (columns: IndexColumns): boolean => Object.keys(columns).length > 0;
  const conditions =
    engine === "postgres"
      ? [compare(isBound(after) ? ">" : ">=", { ...same, ...after }), compare("<=", { ...same, ...upTo })]
      : [
          ...Object.entries(same).map(([name, value]) => compare("=", { [name]: value })),
          ...(isBound(after) ? [compare(">", after)] : []),
          ...(isBound(upTo) ? [compare("<=", upTo)] : []),
        ];
  return sql<boolean>`${sql.join(conditions, sql` and `)}`;
}
