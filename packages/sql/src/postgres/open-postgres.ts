import { type Driver, Kysely, PostgresDialect, type PostgresDialectConfig, PostgresDriver, sql } from "kysely";
import { Pool } from "pg";
import { answerInTime } from "../query/ping.ts";
import type { Database } from "../query/database.ts";
import type { PostgresAddress } from "./connection-url.ts";
import { exactNumbers } from "./run-batch.ts";
import { limitPool } from "./limited-pool.ts";
import { createListener } from "./listener.ts";
import { writeRows, writeRowsWith } from "./write-rows.ts";

export interface PostgresOptions {
  readonly address: PostgresAddress;
  /** The schema that holds the tables; it is created by the migrations. */
  readonly schema: string;
  readonly connections?: number;
  readonly statementTimeoutMs?: number;
  readonly onIdleError?: (error: unknown) => void;
  readonly onListenError?: (error: unknown) => void;
}

const connectWithinMs = 5_000;
/** The server ends a statement by itself. A connection that is silent for this much longer is lost. */
const silenceMs = 5_000;

/**
 * For fixed statements that find each of their rows by an index. They are planned once per connection, without plans that read a whole
 * table because it was small at the time. Planning a step of a workflow costs more than running it.
 */
const keptPlans = {
  plan_cache_mode: "force_generic_plan",
  enable_seqscan: "off",
  enable_hashjoin: "off",
  enable_mergejoin: "off",
};

/** How many of the connections keep their plans. */
const keptConnections = (connections: number): number => (connections < 4 ? 0 : Math.ceil(connections * 0.4));

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
  onListenError,
}: PostgresOptions): Database<Tables> {
  const parameters = {
    search_path: schema,
    statement_timeout: statementTimeoutMs,
    // A frozen process must not lock rows forever.
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // A plan cached for an empty table would scan all of it once it is large.
    plan_cache_mode: "force_custom_plan",
    // For a table that was never analyzed, the planner would rather read and sort all rows of a queue than follow its index.
    enable_bitmapscan: "off",
    // Indexes in use are in memory. By default, a hundred rows of a small table are found by reading the whole table.
    random_page_cost: "1.1",
  };
  const server = (settings: Readonly<Record<string, string | number>>) => ({
    connectionString,
    keepAlive: true,
    fallback_application_name: `crosszone-${schema}`,
    // Poolers support at most `options`.
    options: [options, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)].join(" ").trim(),
  });
  const open = (max: number, settings: Readonly<Record<string, string | number>>) => {
    const pool = new Pool({
      ...server(settings),
      max,
      connectionTimeoutMillis: connectWithinMs,
      types: exactNumbers(),
    });
    pool.on("error", (error) => onIdleError?.(error));
    const limited = limitPool(pool, { answerWithinMs: statementTimeoutMs && statementTimeoutMs + silenceMs });
    return { limited, db: new Kysely<Tables>({ dialect: new Dialect({ pool: limited }) }) };
  };
  const most = keptConnections(connections);
  const { limited, db } = open(connections - most, parameters);
  const kept = most === 0 ? { limited, db } : open(most, { ...parameters, ...keptPlans });
  const listener = createListener({
    server: server({ ...parameters, idle_session_timeout: 0 }),
    schema,
    notify: (channel) => sql`select pg_notify(${channel}, '')`.execute(db),
    onLost: (error) => onIdleError?.(error),
    onDeaf: (error) => onListenError?.(error),
  });
  return {
    engine: "postgres",
    db,
    transaction: (run) => db.transaction().execute(run),
    prepared: kept.db,
    write: (statement, rows) => writeRows(kept.limited, statement, rows),
    writeWith: (statement, rows, others) => writeRowsWith(kept.limited, { statement, rows }, others),
    batch: limited.batch as Database<Tables>["batch"],
    unflushed: (run) => run(db),
    listen: listener.listen,
    ping: () => answerInTime(() => sql`select 1`.execute(db)),
    close: async () => {
      await Promise.all([listener.close(), limited.drain(), kept.limited.drain()]);
      await Promise.all(new Set([db, kept.db]).values().map((each) => each.destroy()));
    },
  };
}
