export {
  newPostgresDatabase,
  contractOnSameTables,
  newSqliteDatabase,
  onBothEngines,
  type EngineName,
  type NewDatabase,
} from "./on-both-engines.ts";
export { startPostgres, type PostgresServer } from "./start-postgres.ts";
