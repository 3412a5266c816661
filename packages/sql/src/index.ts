export { inspectDatabase } from "./inspect-database.ts";
export type { Migrations, MigrationStep } from "./made-tables.ts";
export { type Inspection, joinSteps, sqlStep, tablesProblem, tablesStep } from "./migrate.ts";
export { openDatabase, type OpenOptions } from "./open-database.ts";
export { createOwnedData, type OwnedData } from "./owned-data.ts";
export type { OwnedTable, Row, SealedTable } from "./owned-data.ts";
export type { Database, Engine, QueryRunner, WrittenWith } from "./query/database.ts";
export {
  deleteOlder,
  forUpdate,
  forUpdateSkipLocked,
  type Narrowing,
  narrowedTo,
  notifyText,
  now,
  nowText,
  type OlderRows,
  pageBytes,
  peopleColumn,
  personDigest,
  personDigests,
  purgeAfter,
  rowsFromJson,
  storedBytes,
  withinPageBytes,
} from "./query/dialect.ts";
export {
  connectionError,
  DatabaseUnavailableError,
  isTransient,
  outageOf,
  NewerDatabaseError,
  retryBriefly,
  retryTransient,
} from "./query/errors.ts";
export { createGroupCommit } from "./query/group-commit.ts";
export { createDatabaseCheck } from "./query/database.ts";
export { rowsStatement, type RowsStatement } from "./query/database.ts";
export { closeSqliteLog, copySqlite } from "./sqlite/open-file.ts";
export {
  type ColumnKind,
  columnText,
  prepare,
  type WriteRow,
  type WriteStatement,
  writeStatement,
} from "./query/write-statement.ts";
