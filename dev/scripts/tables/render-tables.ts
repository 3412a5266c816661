import type { DatabaseSync } from "node:sqlite";
import type { TableDescription, TableDescriptions } from "./table-description.ts";

interface Column {
  readonly name: string;
  readonly type: string;
  readonly required: boolean;
  readonly isKey: boolean;
}

/**
 * Returns the section of each table, Markdown. Throws when a table or column of the database has no description, or a description has no
 * table or column.
 */
export function renderTables(database: DatabaseSync, descriptions: TableDescriptions): string {
  const names = database
    .prepare(
      "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' and name not like 'kysely_%'",
    )
    .all()
    .map(({ name }) => String(name));
  refuseDifference("tables", names, Object.keys(descriptions));
  return Object.entries(descriptions)
    .map(([name, description]) => renderTable(name, description, columnsOf(database, name)))
    .join("\n\n");
}

function renderTable(
  name: string,
  { row, writers, readers, deleted, columns }: TableDescription,
  found: Column[],
): string {
  refuseDifference(
    `columns of ${name}`,
    found.map((column) => column.name),
    Object.keys(columns),
  );
  const rows = found.map(
    (column) =>
      `| \`${column.name}\`${column.isKey ? " (key)" : ""} | ${column.type}${column.required ? "" : ", optional"} | ${columns[column.name]} |`,
  );
  return [
    `### \`${name}\``,
    "",
    `A row is ${row}.`,
    "",
    `- Written by: ${writers}`,
    `- Read by: ${readers}`,
    `- Deleted: ${deleted}`,
    "",
    "| Column | Type | Meaning |",
    "| --- | --- | --- |",
    ...rows,
  ].join("\n");
}

function columnsOf(database: DatabaseSync, table: string): Column[] {
  return database
    .prepare(`select name, type, "notnull" as required, pk from pragma_table_info(?)`)
    .all(table)
    .map(({ name, type, required, pk }) => ({
      name: String(name),
      type: /int/i.test(String(type)) ? "integer" : "text",
      required: required === 1 || Number(pk) > 0,
      isKey: Number(pk) > 0,
    }));
}

function refuseDifference(what: string, found: readonly string[], described: readonly string[]): void {
  const missing = found.filter((name) => !described.includes(name));
  const gone = described.filter((name) => !found.includes(name));
  if (missing.length === 0 && gone.length === 0) return;
  const problems = [
    ...missing.map((name) => `${name} has no description`),
    ...gone.map((name) => `${name} is described and not in the database`),
  ];
  throw new Error(`The ${what}: ${problems.join("; ")}. Fix dev/scripts/tables/.`);
}
