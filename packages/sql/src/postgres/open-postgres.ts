import { Kysely, PostgresDialect, PostgresDriver, sql } from "kysely";
import type { Driver, PostgresDialectConfig } from "kysely";
import { Pool } from "pg";
import { answerInTime } from "../answer-in-time.ts";
import type { Database } from "../database.ts";
import type { PostgresAddress } from "./connection-url.ts";
import { exactNumbers } from "./exact-numbers.ts";
import { limitPool } from "./limited-pool.ts";
import { writeRows } from "./write-rows.ts";

export interface PostgresOptions {
  readonly address: PostgresAddress;
  /** The schema that holds the tables; it is created by the migrations. */
  readonly schema: string;
  readonly connections?: number;
  readonly statementTimeoutMs?: number;
  readonly onIdleError?: (error: unknown) => void;
}

const connectWithinMs = 5_000;
/** The server ends a statement by itself. A connection that is silent for this much longer is lost. */
const silenceMs = 5_000;

class Dialect extends PostgresDialect {
  readonly #config: PostgresDialectConfig;

  constructor(config: PostgresDialectConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new DriverOfLostConnections(this.#config);
  }
}

class DriverOfLostConnections extends PostgresDriver {
  override async rollbackTransaction(connection: Parameters<PostgresDriver["rollbackTransaction"]>[0]): Promise<void> {
    // A lost connection needs no rollback. The caller should see the error that broke the transaction.
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

/** Opens a PostgreSQL server, 14 or later. Any number of processes can share it. Connects with the first query. */
export function openPostgres<Tables>({
  address: { connectionString, options },
  schema,
  connections = 10,
  statementTimeoutMs = 10_000,
  onIdleError,
}: PostgresOptions): Database<Tables> {
  const parameters = {
    search_path: schema,
    statement_timeout: statementTimeoutMs,
    // A frozen process must not lock rows forever.
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // A plan cached for an empty table would scan all of it once it is large.
    plan_cache_mode: "force_custom_plan",
  };
  const pool = new Pool({
    connectionString,
    max: connections,
    connectionTimeoutMillis: connectWithinMs,
    keepAlive: true,
    fallback_application_name: `crosszone-${schema}`,
    // Poolers support at most `options`.
    options: [options, ...Object.entries(parameters).map(([name, value]) => `-c ${name}=${value}`)].join(" ").trim(),
    types: exactNumbers(),
  });
  pool.on("error", (error) => onIdleError?.(error));
  const limited = limitPool(pool, { answerWithinMs: statementTimeoutMs && statementTimeoutMs + silenceMs });
  const db = new Kysely<Tables>({ dialect: new Dialect({ pool: limited }) });
  return {
    engine: "postgres",
    db,
    transaction: (run) => db.transaction().execute(run),
    write: (statement, rows) => writeRows(limited, statement, rows),
    unflushed: (run) => run(db),
    ping: () => answerInTime(() => sql`select 1`.execute(db)),
    close: async () => {
      await limited.drain();
      await db.destroy();
    },
  };
}
