import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "@crosszone/testkit";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { installedPackages, startLocalRegistry, type LocalRegistry } from "./local-registry.ts";
import { oldestNode, repoDir } from "./release-copy.ts";
import { run } from "./run-command.ts";

const packages = ["contracts", "agent", "cli", "local", "create-crosszone"];
const dir = mkdtempSync(join(tmpdir(), "crosszone-starter-"));
const home = join(dir, "home");
let registry: LocalRegistry;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  registry = await startLocalRegistry((url) => installedPackages(repoDir, url));
  mkdirSync(home);
  const userconfig = join(dir, "npmrc");
  writeFileSync(userconfig, `registry=${registry.url}/\n${registry.url.slice("http:".length)}/:_authToken=dummy\n`);
  env = {
    HOME: home,
    npm_config_registry: registry.url,
    pnpm_config_registry: registry.url,
    npm_config_userconfig: userconfig,
    npm_config_update_notifier: "false",
    npm_config_cache: join(home, "cache"),
  };
  for (const name of packages) {
    const cwd = join(repoDir, "packages", name);
    const packed = join(dir, `${name}.tgz`);
    await run("pnpm", ["pack", "--out", packed], { cwd });
    await run("npm", ["publish", packed, "--provenance=false"], { cwd: dir, env });
  }
}, 240_000);
afterAll(async () => {
  await registry?.close();
  rmSync(dir, { recursive: true, force: true });
}, 240_000);

test("npm create makes a working project in an empty home, and leaves no process behind", async () => {
  const begin = performance.now();
  await run("npm", ["create", "--yes", "crosszone", "my-team"], { cwd: dir, env });
  const folder = join(dir, "my-team");
  const ports = await choosePorts(folder);
  const team = start(folder);
  const chat = (text: string): Promise<string> =>
    run("npm", ["run", "--silent", "chat", "--", "--url", `http://127.0.0.1:${ports.slack}`, text], {
      cwd: folder,
      env,
    });
  await team.wrote("Crosszone is up.");
  expect(await chat("ask greeter: good morning")).toContain("Hello! You wrote 2 words: good morning");
  process.stderr.write(`npm create to the first answer: ${((performance.now() - begin) / 1_000).toFixed(1)} s\n`);
  expect(await chat("run welcome: good morning")).toContain(
    "Hello! You wrote 7 words: Hello! You wrote 2 words: good morning",
  );
  const crosszone = (...args: string[]): Promise<string> =>
    run("npm", ["run", "--silent", "crosszone", "--", ...args], { cwd: folder, env });
  expect(await crosszone("runs")).toContain("welcome");

  const agent = join(folder, "agents/greeter.js");
  writeFileSync(agent, readFileSync(agent, "utf8").replace("Hello!", "Welcome!"));
  await expect.poll(() => chat("ask greeter: again"), { timeout: 30_000 }).toContain("Welcome! You wrote 1 words");

  team.process.kill("SIGTERM");
  await allClosed(ports);

  // Like Ctrl-C in a terminal: to npm and all its child processes.
  const again = start(folder);
  await again.wrote("Crosszone is up.");
  process.kill(-(again.process.pid ?? 0), "SIGINT");
  await allClosed(ports);
}, 240_000);

test("a folder that is not empty, a name that npm refuses and an unreachable registry are explained", async () => {
  const create = (...args: string[]): Promise<string> =>
    run("npm", ["create", "--yes", "crosszone", "--", ...args], { cwd: dir, env });
  mkdirSync(join(dir, "full"));
  writeFileSync(join(dir, "full/notes.txt"), "mine");
  await expect(create("full")).rejects.toThrow("The folder full is not empty. Choose another name, or empty it first.");
  await expect(create("My Team")).rejects.toThrow('got "My Team". For example: npm create crosszone my-team');
  await expect(create()).rejects.toThrow("Expected the name of one folder.");
  const bin = join(repoDir, "packages/create-crosszone/bin/create-crosszone.js");
  const away = {
    ...env,
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_fetch_retries: "0",
    npm_config_cache: join(dir, "none"),
  };
  const alone = run(process.execPath, [bin, "alone"], { cwd: dir, env: away });
  await expect(alone).rejects.toThrow(
    "Check the network and the registry, then:\n  cd alone\n  npm install\n  npm start",
  );
}, 120_000);

test("npx crosszone works in an empty folder, and an older Node gets a sentence", async () => {
  const cwd = join(dir, "empty");
  mkdirSync(cwd);
  const npx = (...args: string[]): Promise<string> => run("npx", ["--yes", "crosszone", ...args], { cwd, env });
  expect(await npx("--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
  const workflow = join(repoDir, "examples/workflows/review.yaml");
  expect(await npx("validate", workflow)).toBe(`${workflow}: valid\n`);
  await expect(npx("runs")).rejects.toThrow("CROSSZONE_TOKEN is not set.");
}, 120_000);

test.each([
  ["cli", "crosszone"],
  ["local", "crosszone-local"],
  ["local", "crosszone-chat"],
  ["create-crosszone", "create-crosszone"],
])("on an older Node, %s/%s says which version it needs", async (name, bin) => {
  const node = oldestNode() ?? process.execPath;
  const { version } = JSON.parse(await run(node, ["-p", "JSON.stringify(process)"], { cwd: dir })) as {
    version: string;
  };
  const started = run(node, [join(repoDir, "packages", name, `bin/${bin}.js`), "--version"], { cwd: dir });
  await expect(started).rejects.toThrow(`${bin} needs Node.js 26.1 or later, and this is ${version.slice(1)}.`);
});

test.each(packages)("publint reports nothing for %s", async (name) => {
  const options = [join(dir, `${name}.tgz`), "--strict"];
  expect(await run("pnpm", ["exec", "publint", ...options], { cwd: join(repoDir, "tests") })).toContain("All good!");
});

/** Replaces the default ports by free ones in `.env`, `agents.yaml` and `agents/greeter.js`. */
async function choosePorts(
  folder: string,
): Promise<Readonly<Record<"execution" | "verification" | "slack" | "greeter", number>>> {
  const [execution, verification, slack, greeter] = await Promise.all([freePort(), freePort(), freePort(), freePort()]);
  const rewrite = (file: string, change: (text: string) => string): void =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
  const ports = `EXECUTION_PORT=${execution}\nVERIFICATION_PORT=${verification}\nDEV_SLACK_PORT=${slack}\n`;
  rewrite(".env", (text) => text.replace(":4000", `:${execution}`) + ports);
  for (const file of ["agents.yaml", "agents/greeter.js"])
    rewrite(file, (text) => text.replace("8090", String(greeter)));
  return { execution, verification, slack, greeter };
}

/** Resolves when the ports are closed. */
const allClosed = (ports: Readonly<Record<string, number>>): Promise<void> =>
  vi.waitFor(
    async () => {
      for (const port of Object.values(ports))
        await expect(fetch(`http://127.0.0.1:${port}`)).rejects.toThrow("fetch failed");
    },
    { timeout: 40_000, interval: 200 },
  );

/** Runs `npm start` in a folder, in its own process group. Ends with the test. */
function start(folder: string) {
  const options = { cwd: folder, env: { ...process.env, ...env }, detached: true } as const;
  const child = spawn("npm", ["start"], { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await ended;
  });
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const wrote = async (words: string): Promise<void> => {
    while (!text.includes(words)) {
      const [more] = await Promise.race([once(child.stdout, "data"), ended.then(() => [])]);
      if (more === undefined) throw new Error(`npm start ended:\n${text}`);
    }
  };
  return { process: child, wrote };
}
