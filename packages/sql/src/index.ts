export type { Database, Engine } from "./database.ts";
export { now, rowsFromJson, type ColumnKind } from "./dialect.ts";
export { createGroupCommit, type CommitGroup, type GroupCommitOptions } from "./group-commit.ts";
export { migrate, type Migrations, type MigrationStep } from "./migrate.ts";
export { openDatabase, type OpenOptions } from "./open-database.ts";
