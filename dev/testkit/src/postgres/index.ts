export {
  newSqliteDatabase,
  onBothEngines,
  onFreshDatabases,
  testOnPostgres,
  type EngineName,
  type NewDatabase,
} from "./on-both-engines.ts";
export { newPostgresDatabase } from "./pooled-databases.ts";
export { startPostgres, type PostgresServer } from "./start-postgres.ts";
