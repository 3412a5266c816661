/**
 * Returns the lines of `describeTables` that break an older build after a step: those that are gone or changed, and those that constrain
 * the rows of an existing table.
 */
export function findBreaking(before: readonly string[], after: readonly string[]): readonly string[] {
  const tables = before.flatMap((line) => /^(?:table|relation [rp]) ([^\s:]+)/.exec(line)?.[1] ?? []);
  const gone = before.filter((line) => !after.some((other) => other === line || addsColumns(line, other)));
  const constraining = after.filter(
    (line) => !before.includes(line) && tables.includes(tableOf(line)) && !harmless.some((test) => test(line)),
  );
  return [...gone, ...constraining];
}

/** SQLite keeps the statement that created a table and appends new columns, which can't be `not null` without a default. */
function addsColumns(line: string, other: string): boolean {
  const start = `${line.replace(/\)$/, "")}, `;
  return (
    line.startsWith("table ") && other.startsWith(start) && !/\b(check|references)\b/i.test(other.slice(start.length))
  );
}

/** Of an index, a trigger, or PostgreSQL's column or constraint. */
const tableOf = (line: string): string =>
  (/ on (?:\w+\.)?"?(\w+)/i.exec(line) ?? /^(?:column|constraint|trigger) (\w+)/.exec(line))?.[1] ?? "";

const harmless: readonly ((line: string) => boolean)[] = [
  (line) => /\bcreate index\b/i.test(line),
  // `f`: it may be null. A default stands after the `t` of one that may not.
  (line) => line.startsWith("column ") && !line.endsWith(" t"),
  // PostgreSQL 18 lists this of a column as well.
  (line) => /^constraint \S+ \S+ NOT NULL \w+$/.test(line),
];
