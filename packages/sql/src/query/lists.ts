import { hash } from "node:crypto";
import { type Expression, type RawBuilder, sql } from "kysely";

/** The most bytes of content that one page of a list reads. A larger row is a page of its own. */
export const pageBytes = 1_000_000;

/** Returns an SQL expression for the stored bytes of columns of text together. The database knows them without reading it. */
export function storedBytes(...columns: readonly string[]): RawBuilder<number> {
  const each = columns.map((name) => sql`coalesce(octet_length(${sql.ref(name)}), 0)`);
  return sql<number>`${sql.join([sql`0`, ...each], sql` + `)}`;
}

/**
 * Returns an SQL condition that ends a page early: it holds for the first rows of `page` that have `pageBytes` together, or for its first
 * row. `page` selects the columns of `key` and `bytes`, in the order and with the limit of the list. `table` is that of the outer query.
 */
export function withinPageBytes(table: string, key: readonly string[], page: Expression<unknown>): RawBuilder<boolean> {
  const [outer, names] = [key.map((name) => sql.ref(`${table}.${name}`)), sql.join(key.map((name) => sql.ref(name)))];
  const summed = sql`select ${names}, bytes, sum(bytes) over (rows unbounded preceding) as up_to from (${page}) as page`;
  return sql`(${sql.join(outer)}) in
    (select ${names} from (${summed}) as summed where up_to <= ${sql.lit(pageBytes)} or up_to = bytes)`;
}

/** Ids and names are personal data, so a column that is not sealed has only these. Returns the same for all spellings by case. */
export const personDigest = (text: string): string =>
  hash("sha256", text.trim().toLowerCase(), "base64url").slice(0, 16);

/** Returns digests of ids, names, and words of names. */
export function personDigests(idsAndNames: readonly (string | undefined)[]): readonly string[] {
  const texts = idsAndNames.flatMap((text = "") => [text, ...text.split(/\s+/)]).filter((text) => text !== "");
  return [...new Set(texts.map(personDigest))];
}

/** Returns the value of the column `people`, by which a row is found: `personDigests` between line feeds. */
export const peopleColumn = (idsAndNames: readonly (string | undefined)[]): string =>
  ["", ...personDigests(idsAndNames), ""].join("\n");

/** What people narrow a list to. */
export interface Narrowing {
  /** Created from `since` on and before `until`, Unix milliseconds. */
  readonly since?: number | undefined;
  readonly until?: number | undefined;
  /** A person or a program: an id, a name or a word of it. */
  readonly person?: string | undefined;
  /** The beginning of an id: letters, digits, `_` and `-`. */
  readonly id?: string | undefined;
}

/** Returns the condition of a narrowing, on a table with the columns `created_at`, `people` and `key`, its ids. */
export function narrowedTo({ since, until, person, id }: Narrowing, key: string): RawBuilder<boolean> {
  // The range reads the index of the key in every collation; the second condition is exact.
  const conditions = [
    since !== undefined && sql`created_at >= ${since}`,
    until !== undefined && sql`created_at < ${until}`,
    person !== undefined && sql`replace(people, ${`\n${personDigest(person)}\n`}, '') <> people`,
    id !== undefined && sql`${sql.ref(key)} between ${id} and ${`${id}zzz`}`,
    id !== undefined && sql`substr(${sql.ref(key)}, 1, ${id.length}) = ${id}`,
  ];
  return sql<boolean>`${sql.join([sql`1 = 1`, ...conditions.filter((one) => one !== false)], sql` and `)}`;
}
