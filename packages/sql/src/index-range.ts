import { sql, type RawBuilder } from "kysely";
import type { Engine } from "./database.ts";

/** Columns that follow each other in an index, with a value each. */
export type IndexColumns = Readonly<Record<string, unknown>>;

/**
 * Holds for rows that have the values `same`, and lie after and up to others in the columns of the index that follow. On PostgreSQL rows
 * are compared as a whole: to a planner without statistics few rows have equal values, so that sorting them looks cheap. A query that
 * is to be walked in the order of the index orders by all of its columns.
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
