export { inspectDatabase } from "./migrations/inspect-database.ts";
export type { Inspection } from "./migrations/inspection.ts";
export { joinSteps, type Migrations, type MigrationStep, tablesStep } from "./migrations/migrate.ts";
export { openDatabase, type OpenOptions } from "./open-database.ts";
export { createOwnedData, listTables, type OwnedData } from "./owned/owned-data.ts";
export type { OwnedTable, Row } from "./owned/owned-table.ts";
export type { Database, Engine, WrittenWith } from "./query/database.ts";
export {
  deleteOlder,
  forUpdate,
  forUpdateSkipLocked,
  notifyText,
  now,
  nowText,
  pageBytes,
  rowsFromJson,
  storedBytes,
  withinPageBytes,
  type OlderRows,
} from "./query/dialect.ts";
export {
  DatabaseUnavailableError,
  isTransient,
  outageOf,
  NewerDatabaseError,
  retryBriefly,
  retryTransient,
} from "./query/errors.ts";
export { createGroupCommit } from "./query/group-commit.ts";
export { checkWritable } from "./query/ping.ts";
export { rowsStatement, type RowsStatement } from "./query/rows-statement.ts";
export {
  type ColumnKind,
  columnText,
  prepare,
  type WriteRow,
  type WriteStatement,
  writeStatement,
} from "./query/write-statement.ts";
