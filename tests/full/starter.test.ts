// inputs: tools/** dev/scripts/packaging/** dev/slack/** kits/** packages/contracts/** docs/quickstart/** {apps,packages}/*/package.json
import { spawn, execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import {
  appendFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { basename, dirname, join, relative } from "node:path";
import { parseEnv, promisify } from "node:util";
import { executionConfig } from "@crosszone/execution";
import { freePort } from "@crosszone/testkit";
import { verificationConfig } from "@crosszone/verification";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { share } from "../harness/random.ts";
import { olderNodes, oldestNode, packInto, repoDir } from "./release-copy.ts";
import { run } from "./run-command.ts";
import { useBrowser, write } from "./use-browser.ts";

const dir = mkdtempSync(join(tmpdir(), "crosszone-starter-"));
const home = join(dir, "home");
const packed = (name: string): string => join(dir, "release", `${name}.tgz`);
const create = (...args: string[]): Promise<string> =>
  run("npx", ["--yes", "--package", packed("create-crosszone"), "create-crosszone", ...args], { cwd: dir, env });
const open = useBrowser();
let registry: Awaited<ReturnType<typeof startLocalRegistry>>;
let env: NodeJS.ProcessEnv;

beforeAll(async () => {
  // It has the packages of others only.
  registry = await startLocalRegistry();
  mkdirSync(home);
  env = {
    HOME: home,
    npm_config_registry: registry.url,
    npm_config_userconfig: join(dir, "npmrc"),
    npm_config_update_notifier: "false",
    npm_config_cache: join(home, "cache"),
  };
  await packInto(join(dir, "release"));
}, 240_000);
afterAll(async () => {
  await registry?.close();
  rmSync(dir, { recursive: true, force: true });
}, 240_000);

test("Q4, Q11: one packed file makes a working project in an empty home, for the command line of any supported Node", async () => {
  await create("my-team");
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
  expect(await chat("run welcome: good morning")).toContain(
    "Hello! You wrote 7 words: Hello! You wrote 2 words: good morning",
  );
  const crosszone = (...args: string[]): Promise<string> =>
    run("npm", ["run", "--silent", "crosszone", "--", ...args], { cwd: folder, env });
  expect(await crosszone("runs", "list")).toContain("welcome");
  const agentUrl = `http://127.0.0.1:${ports.greeter}`;
  for (const node of await olderNodes()) await useCommandLine(node, folder, agentUrl);

  const agent = join(folder, "agents/greeter.js");
  writeFileSync(agent, readFileSync(agent, "utf8").replace("Hello!", "Welcome!"));
  await expect.poll(() => chat("ask greeter: again")).toContain("Welcome! You wrote 1 words");

  team.process.kill("SIGTERM");
  await allClosed(ports);

  // Like Ctrl-C in a terminal: to npm and all its child processes.
  const again = start(folder);
  await again.wrote("Crosszone is up.");
  process.kill(-(again.process.pid ?? 0), "SIGINT");
  await allClosed(ports);
}, 240_000);

/** The Node that starts npm: one of the three in a run of CI, all of them at night. */
const startedBy = [["the oldest 22", 0] as const, ["the oldest 24", 1] as const, ["this one", undefined] as const];
const seed = Number(process.env["TEST_SEED"] ?? 0);
const tried = share === 1 ? startedBy : startedBy.filter((_, at) => at === seed % startedBy.length);

test.each(tried)(
  "Q16b: a packed starter works on each of its pages, and each command of its README: Node %s",
  async (name, older) => {
    const node = older === undefined ? process.execPath : (await olderNodes())[older];
    if (node === undefined) return;
    const own = { ...env, PATH: `${dirname(node)}:${process.env["PATH"]}` };
    const [folderName, release] = [`team-${name.replaceAll(" ", "-")}`, packed("create-crosszone")];
    const createHere = (...args: string[]): Promise<string> =>
      run("npx", ["--yes", "--package", release, "create-crosszone", ...args], { cwd: dir, env: own });
    await createHere(folderName);
    const folder = join(dir, folderName);
    const ports = await choosePorts(folder);
    const team = start(folder, { env: own });
    await team.wrote("Help ");
    const slack = `http://127.0.0.1:${ports.slack}`;
    const page = await open(slack);
    await useSlack(page);
    await useConsole(page, /Console +(\S+)/.exec(team.text())?.[1] ?? "");

    // What runs already, and what is run after the test's own changes, are not repeated.
    const commands = [...readFileSync(join(folder, "README.md"), "utf8").matchAll(/^```sh\n([^]*?)^```/gm)]
      .flatMap(([, block = ""]) => block.trim().split("\n"))
      .filter((line) => !/^(npm install|npm start|npx .*<clone>.*)$/.test(line));
    expect(commands.length).toBeGreaterThan(7);
    const inFolder = { cwd: folder, env: { ...own, DEV_SLACK_URL: slack } };
    for (const command of commands) await run("sh", ["-c", command], inFolder);
    expect(existsSync(join(folder, "backups/monday/execution.sqlite"))).toBe(true);
    await page.goto("about:blank");
    await team.stop();
    // npm can end before the zones that it started.
    const restore = () => run("sh", ["-c", "npm run crosszone backup restore backups/monday"], inFolder);
    await vi.waitFor(restore, { timeout: 30_000, interval: 1_000 });

    const before = readFileSync(join(folder, "execution.yaml"), "utf8");
    const built = join(folder, "node_modules/@crosszone/local/dist/main.js");
    markPacked(join(folder, "packages/crosszone-local.tgz"));
    expect(await run("npm", ["install"], inFolder)).toContain(
      "Changed since they were installed: ./packages/crosszone-local.tgz",
    );
    expect(readFileSync(built, "utf8")).toContain("// marked");
    await createHere("--upgrade", folderName);
    expect(readFileSync(built, "utf8")).not.toContain("// marked");
    expect(readFileSync(join(folder, "execution.yaml"), "utf8")).toBe(before);
    await start(folder, { env: own }).wrote("Crosszone is up.");
  },
  400_000,
);

/** Asks, approves and looks at each view of the local Slack. */
async function useSlack(page: Page): Promise<void> {
  await write(page, "ask greeter: good morning");
  await page.getByTestId("thread-message").filter({ hasText: "You wrote 2 words: good morning" }).waitFor();
  await page.locator("[data-channel=C0GENERAL01]").click();
  await write(page, "@Crosszone run send-invoice: 100 EUR to Acme");
  const approve = page.getByTestId("thread-message").getByTestId(/^control-input:approve/);
  await approve.waitFor();
  await page.getByTestId("act-as").selectOption("U0BOB000001");
  await approve.click();
  await page.getByTestId("thread-message").filter({ hasText: "Sent the invoice: 100 EUR to Acme" }).waitFor();
  await page.getByTestId("traffic-tab").click();
  await page.getByTestId("traffic-group").first().waitFor();
  await page.getByTestId("messages-tab").click();
  await page.locator("[data-channel=D0BOB000001]").click();
  await page.getByTestId("home-tab").click();
  await page.getByTestId("home").getByText("greeter").first().waitFor();
}

/** Opens each tab of the console, and the first page of each kind that the tabs link to. */
async function useConsole(page: Page, address: string): Promise<void> {
  await page.goto(address);
  const tabs = page.locator("#tabs a");
  await tabs.first().waitFor();
  expect(await tabs.count()).toBeGreaterThan(5);
  const links = new Map<string, string>();
  for (const tab of await tabs.all()) {
    await tab.click();
    await page
      .locator("#tabs a[aria-current]")
      .getByText(await tab.innerText())
      .waitFor();
    await page.locator("#content :is(tbody tr, [role=row], h1, h2)").first().waitFor();
    for (const link of await page.locator("#content a[href^='/console/']").all()) {
      const path = (await link.getAttribute("href")) ?? "";
      links.set(path.split("/").slice(0, 3).join("/"), path);
    }
  }
  expect([...links.keys()].length).toBeGreaterThan(2);
  for (const path of links.values()) {
    await page.goto(new URL(path, address).href);
    await page.locator("#content :is(h1, h2)").first().waitFor();
    expect(await page.locator("#content").innerText()).not.toContain("Page not found");
  }
}

/** Changes the build in a packed file, not its version. */
function markPacked(file: string): void {
  const at = mkdtempSync(join(dir, "marked-"));
  const tar = (...args: string[]): unknown => execFileSync("tar", args, { cwd: at });
  tar("xzf", file);
  appendFileSync(join(at, "package/dist/main.js"), "// marked\n");
  tar("czf", file, "package");
}

test("Q4: all that a created folder names exists: files, packages, scripts, variables and pages", async () => {
  await create("checked", "--no-install");
  const folder = join(dir, "checked");
  const read = (file: string): string => readFileSync(join(folder, file), "utf8");
  expect(manifestIn(folder).optionalDependencies).toBeUndefined();
  const files = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
  const texts = files.filter((file) => !file.endsWith(".tgz"));
  expect(texts.toSorted().join()).toBe(
    ".env,.gitignore,README.md,agents/billing.js,agents/greeter.js,execution.yaml,package.json,packages/install-changed.js,workflows/send-invoice.yaml,workflows/welcome.yaml",
  );
  const all = texts.map(read).join("\n");
  expect(all).not.toMatch(/\{\{|docker compose/);

  const { scripts, dependencies, devDependencies } = JSON.parse(read("package.json")) as Record<string, object>;
  const needed = Object.values({ ...dependencies, ...devDependencies }) as string[];
  expect(needed.toSorted().map((file) => file.replace("file:", ""))).toEqual(
    files.filter((file) => file.endsWith(".tgz")).toSorted(),
  );
  const named = [...all.matchAll(/npm (?:run )?(?!install)([a-z]+)/g)].map(([, name]) => name);
  expect(named.filter((name) => !Object.hasOwn(scripts ?? {}, name ?? ""))).toEqual([]);

  const paths = [...read("README.md").matchAll(/`([\w./-]*[./][\w./-]+|\w+\/)`/g)].map(([, path = ""]) => path);
  expect(paths.filter((path) => path !== ".crosszone" && !existsSync(join(folder, path)))).toEqual([]);
  const pages = [...all.matchAll(/crosszone\/crosszone\/blob\/main\/([\w./-]+)/g)].map(([, path = ""]) => path);
  expect(pages.filter((path) => !existsSync(join(repoDir, path)))).toEqual([]);

  const known = { ...executionConfig, ...verificationConfig };
  const variables = [
    ...new Set([...Object.keys(parseEnv(read(".env"))), ...(all.match(/\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [])]),
  ];
  const ofOthers = /^(CROSSZONE_(URL|TOKEN|LINK_TOKEN)|DEV_SLACK_SECRET)$/;
  expect(variables.filter((name) => !Object.hasOwn(known, name) && !ofOthers.test(name))).toEqual([]);
  expect(statSync(join(folder, ".env")).mode & 0o077).toBe(0);
});

test("a folder that is not empty, a name that npm refuses and an unreachable registry are explained", async () => {
  mkdirSync(join(dir, "full"));
  writeFileSync(join(dir, "full/notes.txt"), "mine");
  await expect(create("full")).rejects.toThrow("The folder full is not empty. Choose another name, or empty it first.");
  await expect(create("My Team")).rejects.toThrow('got "My Team". For example: my-team');
  await expect(create()).rejects.toThrow("Expected the name of one folder.");
  const away = {
    ...env,
    npm_config_registry: "http://127.0.0.1:9/",
    npm_config_fetch_retries: "0",
    npm_config_cache: join(dir, "none"),
  };
  const options = ["--prefix", join(dir, "bin"), "--no-audit", "--no-fund"];
  await run("npm", ["install", "--global", ...options, packed("create-crosszone")], { cwd: dir, env });
  const alone = run(join(dir, "bin/bin/create-crosszone"), ["alone"], { cwd: dir, env: { ...env, ...away } });
  await expect(alone).rejects.toThrow(
    "Check the network and the registry, then:\n  cd alone\n  npm install\n  npm start",
  );
});

/** What Node 22 does not have, also where no command of this test leads. */
const newer =
  /\b(?:Promise\.try|Error\.isError|RegExp\.escape|Iterator\.concat|Math\.sumPrecise|Uint8Array\.from(?:Base64|Hex)|Temporal\.\w+|URLPattern|Float16Array|import\.meta\.main|(?<!prototype)\.getOrInsert)\b|\.(?:toBase64|toHex)\(|\(\?[ims]*-[ims]+:|(?:await )?\busing \w+ =/;

test("Q11: the packed contracts, agent, command line and create run on Node 22.19 and 24.0", async ({ skip }) => {
  const nodes = await olderNodes();
  if (nodes.length === 0) skip("NOT TESTED: npm has no Node 22.19.0 and 24.0.0 for this platform");
  const cwd = join(dir, "installed");
  mkdirSync(cwd);
  writeFileSync(join(cwd, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const files = ["crosszone-contracts", "crosszone-agent", "crosszone", "create-crosszone"].map(packed);
  await run("npm", ["install", "--no-audit", "--no-fund", ...files], { cwd, env });
  const program = `
    import { isTaskId } from "@crosszone/contracts";
    import { createAgent } from "@crosszone/agent";
    const { fetch } = createAgent({ name: "Echo", description: "Echoes." }, ({ text }) => text);
    const card = await fetch(new Request("http://a/.well-known/agent-card.json"));
    console.log(isTaskId(1), (await card.json()).name);`;
  writeFileSync(join(cwd, "program.js"), program);
  const template = readFileSync(join(repoDir, "tools/create-crosszone/template/agents/greeter.js"), "utf8");
  writeFileSync(join(cwd, "agent.js"), template.replace("8090", String(await freePort())));
  const ours = globSync("node_modules/{crosszone,create-crosszone,@crosszone/*}/{bundle,dist}/**/*.js", { cwd });
  expect(ours.length).toBeGreaterThan(10);
  expect(ours.filter((file) => newer.test(readFileSync(join(cwd, file), "utf8")))).toEqual([]);
  const workflow = join(repoDir, "examples/workflows/review.yaml");
  for (const node of nodes) {
    const version = (await run(node, ["--version"], { cwd })).trim().slice(1);
    const bin = (name: string, ...args: string[]): Promise<string> =>
      run(node, [join(cwd, "node_modules", name, `bin/${name}.js`), ...args], { cwd, env });
    expect(await run(node, ["program.js"], { cwd })).toBe("false Echo\n");
    expect(await bin("crosszone", "--version")).toMatch(/^\d+\.\d+\.\d+\n$/);
    expect(await bin("crosszone", "validate", workflow)).toBe(`${workflow}: valid\n`);
    await expect(bin("crosszone", "runs", "list")).rejects.toThrow("CROSSZONE_TOKEN is not set.");
    const alone = { ...env, CROSSZONE_URL: "http://127.0.0.1:9", NODE_PATH: "" };
    const dev = run(node, ["node_modules/crosszone/bin/crosszone.js", "agents", "dev", "agent.js"], {
      cwd,
      env: alone,
    });
    await expect(dev).rejects.toThrow(`${cwd} has no @crosszone/local`);
    expect(await bin("create-crosszone", `team-${version}`, "--no-install")).toBe(
      `Created team-${version}\n\nNext:\n  cd team-${version}\n  npm install\n  npm start\n`,
    );
    // The Node that runs the zones, as this repository pins it.
    const pinned = ({ optionalDependencies }: Manifest) => optionalDependencies;
    expect(pinned(manifestIn(join(cwd, `team-${version}`)))).toEqual(pinned(manifestIn(repoDir)));
  }
});

test.each([
  ["cli", "crosszone", "22.19 or later (not 23)"],
  ["local", "crosszone-local", "26.1 or later"],
  ["local", "crosszone-chat", "26.1 or later"],
  ["create-crosszone", "create-crosszone", "22.19 or later (not 23)"],
])("Q11: on an older Node, %s/%s says which version it needs", async (name, bin, needed) => {
  const node = oldestNode() ?? process.execPath;
  const version = await run(node, ["-p", "process.versions.node"], { cwd: dir });
  const started = run(node, [join(repoDir, "tools", name, `bin/${bin}.js`), "--version"], { cwd: dir });
  await expect(started).rejects.toThrow(`${bin} needs Node.js ${needed}, and this is ${version.trim()}.`);
});

test.each(["packages/contracts", "tools/agent", "tools/cli", "tools/local", "tools/create-crosszone"])(
  "publint reports nothing for %s",
  async (folder) => {
    const file = join(dir, `${basename(folder)}.tgz`);
    await run("pnpm", ["pack", "--config.ignore-scripts=true", "--out", file], { cwd: join(repoDir, folder) });
    const options = { cwd: join(repoDir, "tests") };
    expect(await run("pnpm", ["exec", "publint", file, "--strict"], options)).toContain("All good!");
  },
);

/** Uses the command line of a created folder with another Node: each kind of request, and each part that is loaded when it is needed. */
async function useCommandLine(node: string, folder: string, agentUrl: string): Promise<void> {
  const line = ["--env-file=.env", "node_modules/crosszone/bin/crosszone.js"];
  const crosszone = (...args: string[]): Promise<string> => run(node, [...line, ...args], { cwd: folder, env });
  expect(await crosszone("ask", "greeter", "good morning")).toBe("Hello! You wrote 2 words: good morning\n");
  expect(await crosszone("agents", "list", "--json")).toContain('"greeter"');
  expect(await crosszone("agents", "test", "greeter")).toContain("Answer: Hello! You wrote 1 words");
  expect(await crosszone("run", "welcome", "--input", "text=good morning")).toContain("You wrote 7 words");
  expect(await crosszone("tasks", "list")).toContain("greeter");
  expect(await crosszone("audit", "list")).toContain("run.start");
  const [key, log] = [join(folder, "audit.pem"), join(folder, "audit.jsonl")];
  writeFileSync(key, await crosszone("audit", "key"));
  writeFileSync(log, await crosszone("audit", "export"));
  expect(await crosszone("audit", "verify", log, "--key", key)).toContain("events");
  expect(await crosszone("conformance", agentUrl)).toContain("Compliant");
  const dev = start(folder, { command: node, args: [...line, "agents", "dev", agentUrl, "--name", "beside"] });
  await dev.wrote("ask beside: …");
  expect(await crosszone("ask", "beside", "good morning")).toContain("2 words");
  await dev.stop();
}

/** Replaces the default ports by free ones in `.env`, `execution.yaml` and the agents. */
async function choosePorts(folder: string) {
  const free = await Promise.all(Array.from({ length: 5 }, () => freePort()));
  const [execution = 0, verification = 0, slack = 0, greeter = 0, billing = 0] = free;
  const rewrite = (file: string, change: (text: string) => string): void =>
    writeFileSync(join(folder, file), change(readFileSync(join(folder, file), "utf8")));
  const ports = `EXECUTION_PORT=${execution}\nVERIFICATION_PORT=${verification}\nDEV_SLACK_PORT=${slack}\n`;
  rewrite(".env", (text) => text.replace(":4000", `:${execution}`) + ports);
  for (const file of ["execution.yaml", "agents/greeter.js", "agents/billing.js"])
    rewrite(file, (text) => text.replace("8090", String(greeter)).replace("8091", String(billing)));
  return { execution, verification, slack, greeter, billing };
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

/** Runs a command in a folder, in its own process group. Ends with the test. */
function start(folder: string, { command = "npm", args = ["start"], env: own = env } = {}) {
  const options = { cwd: folder, env: { ...process.env, ...own }, detached: true } as const;
  const child = spawn(command, args, { ...options, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    child.kill("SIGTERM");
    await ended;
  };
  onTestFinished(stop);
  let text = "";
  child.stdout.on("data", (chunk: Buffer) => (text += chunk.toString()));
  const wrote = async (words: string): Promise<void> => {
    while (!text.includes(words)) {
      const [more] = await Promise.race([once(child.stdout, "data"), ended.then(() => [])]);
      if (more === undefined) throw new Error(`${command} ended:\n${text}`);
    }
  };
  return { process: child, wrote, stop, text: () => text };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly optionalDependencies?: object;
}

const manifestIn = (folder: string): Manifest =>
  JSON.parse(readFileSync(join(folder, "package.json"), "utf8")) as Manifest;

/**
 * Starts a registry on loopback with the packages that this repository has installed, so that tests install without a network, and the part of
 * npm's protocol that installing uses.
 */
async function startLocalRegistry() {
  const folders = new Map<string, string>();
  const packages = new Map<string, Record<string, object>>();
  const server = createServer((request, response) => {
    const send = (status: number, body: string | Uint8Array): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(body);
    const path = decodeURIComponent(new URL(request.url ?? "/", "http://registry").pathname);
    const [folder, versions] = [folders.get(path), packages.get(path.slice(1))];
    if (folder !== undefined)
      packFolder(folder).then(
        (tarball) => send(200, tarball),
        (error: unknown) => send(500, JSON.stringify({ error: String(error) })),
      );
    else if (versions === undefined) send(404, '{"error":"Not found"}');
    else
      send(
        200,
        JSON.stringify({ name: path.slice(1), "dist-tags": { latest: Object.keys(versions).at(-1) }, versions }),
      );
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const store = join(repoDir, "node_modules/.pnpm");
  const paths = ["*@*/node_modules/*/package.json", "*@*/node_modules/@*/*/package.json"];
  for (const path of globSync(paths, { cwd: store })) {
    const folder = dirname(join(store, path));
    const manifest = manifestIn(folder);
    const { name, version } = manifest;
    // The folder of a package also has links to its dependencies.
    if (!path.startsWith(`${name.replace("/", "+")}@${version}`)) continue;
    const tarball = `/installed/${name}-${version}.tgz`;
    folders.set(tarball, folder);
    packages.getOrInsertComputed(name, () => ({}))[version] = { ...manifest, dist: { tarball: url + tarball } };
  }
  return {
    url,
    close: async () => {
      server.closeAllConnections();
      await server[Symbol.asyncDispose]();
    },
  };
}

async function packFolder(folder: string): Promise<Uint8Array> {
  // pnpm hard-links files with the same content, and npm unpacks no links.
  const links = ["--hard-dereference", "--transform", "s,^\\.,package,"];
  const args = ["-czf", "-", ...links, "--exclude", "./node_modules", "-C", folder, "."];
  const { stdout } = await promisify(execFile)("tar", args, { encoding: "buffer", maxBuffer: 512 * 1024 * 1024 });
  return stdout;
}
