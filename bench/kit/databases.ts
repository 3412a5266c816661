import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPostgres } from "@crosszone/testkit/postgres";
import { Client } from "pg";

/** What keeps the data of a peer. */
export type Engine = "memory" | "sqlite" | "postgres";

/** An empty database for one server. */
interface BenchDatabase {
  /** Empty for the engine `memory`. */
  readonly url: string;
  readonly drop: () => Promise<void>;
}

export type Databases = Awaited<ReturnType<typeof startDatabases>>;

/** Starts a PostgreSQL with all flushes on, if one of the engines is PostgreSQL, and creates databases. */
export async function startDatabases(engines: ReadonlySet<Engine>) {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-bench-"));
  const server = engines.has("postgres") ? await startPostgres() : undefined;
  let created = 0;
  const admin = async (statement: string): Promise<void> => {
    const client = new Client({ connectionString: server?.url });
    await client.connect();
    try {
      await client.query(statement);
    } finally {
      await client.end();
    }
  };

  return {
    create: async (engine: Engine): Promise<BenchDatabase> => {
      const name = `bench_${created++}`;
      if (engine === "memory") return { url: "", drop: async () => undefined };
      if (engine === "sqlite") {
        const path = join(folder, `${name}.sqlite`);
        const drop = async (): Promise<void> => {
          for (const end of ["", "-wal", "-shm"]) rmSync(path + end, { force: true });
        };
        return { url: `sqlite:${path}`, drop };
      }
      await admin(`create database ${name}`);
      await admin("checkpoint");
      return {
        url: Object.assign(new URL(server?.url ?? ""), { pathname: `/${name}` }).href,
        drop: () => admin(`drop database ${name} with (force)`),
      };
    },
    /** Ends PostgreSQL as a crash would, and starts it again. */
    crashPostgres: async () => {
      await server?.kill();
      await server?.start();
    },
    stop: async () => {
      await server?.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Creates an empty database for some work, and drops it afterwards. */
export async function withDatabase<T>(
  databases: Databases,
  engine: Engine,
  work: (database: BenchDatabase) => Promise<T>,
): Promise<T> {
  const database = await databases.create(engine);
  try {
    return await work(database);
  } finally {
    await database.drop();
  }
}
