import { type Driver, Kysely, PostgresDialect, type PostgresDialectConfig, PostgresDriver, sql } from "kysely";
import { Client, Pool } from "pg";
import { answerInTime, type Database } from "../query/database.ts";
import { DatabaseUnavailableError } from "../query/errors.ts";
import type { PostgresAddress } from "./connection-url.ts";
import { exactNumbers, limitPool, writeRows, writeRowsWith } from "./limited-pool.ts";
import { createListener } from "./listener.ts";

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
  // Scans that are off cost more than the limit above which PostgreSQL before 18 compiles a plan: 100 ms for each statement.
  jit: "off",
};

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

/** A round says nothing if its connections have different servers, as they always have without a pooler. */
const poolerRounds = 5;

/** https://www.postgresql.org/docs/current/errcodes-appendix.html: duplicate_prepared_statement, invalid_sql_statement_name */
const mixedUp = new Set<unknown>(["42P05", "26000"]);

/**
 * Prepares statements with the same name over two connections, in two transactions each. Throws a `DatabaseUnavailableError` if a pooler
 * gives both the same server and mixes the statements up.
 */
export async function checkPooler({ connectionString, name }: PostgresAddress): Promise<void> {
  const [one, other] = [0, 1].map(() => new Client({ connectionString, connectionTimeoutMillis: connectWithinMs })) as [
    Client,
    Client,
  ];
  try {
    for (const client of [one, other]) {
      client.on("error", () => undefined);
      await client.connect();
    }
    for (let round = 1; round <= poolerRounds; round += 1) {
      const statement = { name: `crosszone_pooler_${round}`, text: "select pg_backend_pid() as pid" };
      const pids = new Set<number>();
      for (const client of [one, other, one, other])
        pids.add((await client.query<{ pid: number }>(statement)).rows[0]?.pid ?? 0);
      if (pids.size === 1) return;
    }
  } catch (cause) {
    if (!mixedUp.has((cause as { code?: unknown }).code)) throw cause;
    throw new DatabaseUnavailableError(
      `${name} cannot be used: a pooler in transaction mode mixes up prepared statements. ` +
        "Use PgBouncer 1.21 or later with max_prepared_statements above 0, its session mode, or the server's own address.",
      { cause },
    );
  } finally {
    await Promise.all([one.end(), other.end()]).catch(() => undefined);
  }
}

/** Opens a PostgreSQL server, 14 or later. Any number of processes can share it. Connects with the first query. */
export function openPostgres<Tables>({
  address,
  renewed = () => undefined,
  schema,
  connections = 10,
  statementTimeoutMs = 10_000,
  onIdleError,
  onListenError,
}: {
  readonly address: PostgresAddress;
  /** Called when a connection can't be opened: returns the address as it is now, if it can be read again. */
  readonly renewed?: () => PostgresAddress | undefined;
  /** The schema that holds the tables; it is created by the migrations. */
  readonly schema: string;
  readonly connections?: number;
  readonly statementTimeoutMs?: number;
  readonly onIdleError?: (error: unknown) => void;
  readonly onListenError?: (error: unknown) => void;
}): Database<Tables> {
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
  let { connectionString } = address;
  const renew = (): string => (connectionString = renewed()?.connectionString ?? connectionString);
  const server = (settings: Readonly<Record<string, string | number>>) => ({
    connectionString,
    keepAlive: true,
    fallback_application_name: `crosszone-${schema}`,
    // Poolers support at most `options`.
    options: [address.options, ...Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`)]
      .join(" ")
      .trim(),
  });
  const open = (max: number, settings: Readonly<Record<string, string | number>>) => {
    const pool = new Pool({
      ...server(settings),
      max,
      connectionTimeoutMillis: connectWithinMs,
      types: exactNumbers(),
    });
    pool.on("error", (error) => onIdleError?.(error));
    const limited = limitPool(pool, {
      answerWithinMs: statementTimeoutMs && statementTimeoutMs + silenceMs,
      renew,
    });
    return { limited, db: new Kysely<Tables>({ dialect: new Dialect({ pool: limited }) }) };
  };
  /** How many of the connections keep their plans. */
  const most = connections < 4 ? 0 : Math.ceil(connections * 0.4);
  const { limited, db } = open(connections - most, parameters);
  const kept = most === 0 ? { limited, db } : open(most, { ...parameters, ...keptPlans });
  const listener = createListener({
    server: () => ({ ...server({ ...parameters, idle_session_timeout: 0 }), connectionString: renew() }),
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
    batch: kept.limited.batch as Database<Tables>["batch"],
    unflushed: (run) => run(db),
    listen: listener.listen,
    ping: () => answerInTime(() => sql`select 1`.execute(db)),
    problem: async () => undefined,
    close: async () => {
      await Promise.all([listener.close(), limited.drain(), kept.limited.drain()]);
      await Promise.all(new Set([db, kept.db]).values().map((each) => each.destroy()));
    },
  };
}
