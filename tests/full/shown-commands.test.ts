// suite: waits
import { spawn } from "node:child_process";
import { once } from "node:events";
import { globSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { LLMock } from "@copilotkit/aimock";
import { freePort } from "@crosszone/testkit";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test, vi } from "vitest";
import { back, commandsOf, record, replayed, settled, steady, there } from "../harness/run-transcript.ts";

// A clone installs everything, and the agents are slow on purpose.
vi.setConfig({ testTimeout: 600_000 });

const root = resolve(import.meta.dirname, "../..");
const textOf = (page: string): string => readFileSync(resolve(root, page), "utf8");

/** Returns the first block of a page in a language. */
const blockOf = (page: string, language: string): string =>
  new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "m").exec(textOf(page))?.[1] ?? "";

/** Starts a program in a shell in PWD, in its own group, and resolves when it has printed `ready`. Ctrl-C ends it with the test, or earlier. */
async function start(command: string, env: NodeJS.ProcessEnv, ready: RegExp) {
  const child = spawn("sh", ["-c", `exec 2>&1\n${command}`], { cwd: env["PWD"], env, detached: true });
  const ended = once(child, "exit");
  const stop = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null)
      process.kill(-child.pid, "SIGINT");
    await ended;
  };
  onTestFinished(stop);
  const lines: string[] = [];
  const printed = Promise.withResolvers<void>();
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    if (ready.test(line)) printed.resolve();
  });
  await Promise.race([printed.promise, ended.then(() => Promise.reject(new Error(lines.join("\n"))))]);
  return { lines, stop };
}

const usual = {
  EXECUTION_PORT: "4000",
  VERIFICATION_PORT: "3000",
  DEV_SLACK_PORT: "3100",
  DEV_AGENTS_PORT: "3200",
  ASK_PORT: "4100",
};

/** A stranger's machine: an empty home and a folder to clone into. `places` maps the addresses on the pages to the real ones. */
async function newMachine() {
  const folder = tempFolder();
  const [home, work] = [join(folder, "home"), join(folder, "work")];
  for (const path of [home, work]) mkdirSync(path);
  // The clone is named after the last folder.
  symlinkSync(root, join(folder, "crosszone"));
  const ports: Record<string, string> = {};
  for (const name of Object.keys(usual)) ports[name] = String(await freePort());
  const places = Object.entries(usual).map(([name, port]) => [`127.0.0.1:${port}`, `127.0.0.1:${ports[name]}`]);
  const PATH = process.env["PATH"]?.split(":").filter((path) => !path.includes("node_modules"));
  return {
    work,
    env: {
      ...Object.fromEntries(Object.keys(process.env).map((name) => [name, undefined])),
      ...ports,
      DEV_SLACK_URL: `http://127.0.0.1:${ports["DEV_SLACK_PORT"]}`,
      HOME: home,
      PATH: PATH?.join(":"),
      PWD: join(work, "crosszone"),
    } as NodeJS.ProcessEnv,
    places: {
      ...(Object.fromEntries(places) as Record<string, string>),
      "localhost:4000": `127.0.0.1:${ports["EXECUTION_PORT"]}`,
      "https://github.com/crosszone/crosszone": join(folder, "crosszone"),
    },
  };
}

type Machine = Awaited<ReturnType<typeof newMachine>>;

/** Starts Crosszone and returns its banner, as it is without variables for other ports. */
async function startCrosszone(machine: Machine, command: string) {
  const dev = await start(there(machine.places, command), machine.env, /Crosszone is up/);
  // One write has the whole banner. Lines of the log follow.
  await delay(1_000);
  const at = dev.lines.findIndex((line) => line.includes("Crosszone is up"));
  const rest = dev.lines.slice(at);
  const end = rest.findIndex((line) => /^\S/.test(line));
  const banner = rest.slice(0, end === -1 ? undefined : end).join("\n");
  return {
    ...dev,
    banner: steady(back(machine.places, banner).replaceAll(/VERIFICATION_PORT=\d+ | --url \S+/g, "")).trim(),
  };
}

/** Runs the commands of a page. What they print must be what it shows, except for progress. */
async function play(page: string, atLeast: number, { env, places }: Omit<Machine, "work">) {
  const markdown = textOf(page);
  const real = await replayed(markdown, places, env);
  const how = record(resolve(root, page), real);
  const told = (text: string) => commandsOf(text).map(({ command, output }) => ({ command, ...settled(output) }));
  expect.soft(told(markdown).length, page).toBeGreaterThanOrEqual(atLeast);
  expect.soft(told(real), how).toEqual(told(markdown));
}

const bannerBlock = /(?<=^```\n) *Crosszone is up[^]*?(?=\n```$)/m;
const pythonAgent = "PYTHONPATH=kits/python python3 agent.py";

test("Q5: the README and the Start pages, played in order in a fresh clone with an empty home, print what they show", async () => {
  const machine = await newMachine();
  const { env, places, work } = machine;
  const clone = env["PWD"] ?? "";
  const withAgent = (port: string) => ({ env, places: { ...places, "127.0.0.1:8090": `127.0.0.1:${port}` } });
  const first = await startCrosszone({ ...machine, env: { ...env, PWD: work } }, blockOf("README.md", "sh"));
  const how = record(resolve(root, "README.md"), textOf("README.md").replace(bannerBlock, `  ${first.banner}`));
  expect.soft(first.banner, how).toBe(bannerBlock.exec(textOf("README.md"))?.[0].trim());

  const [words, counter] = [String(await freePort()), String(await freePort())];
  writeFileSync(join(clone, "agent.py"), blockOf("README.md", "python"));
  await start(pythonAgent, { ...env, PORT: words }, /^Listening/);
  await play("README.md", 4, withAgent(words));
  await play("docs/quickstart/local.md", 2, machine);
  const folder = tempFolder();
  writeFileSync(join(folder, "agent.mjs"), blockOf("docs/quickstart/agent.md", "js").replaceAll("8090", counter));
  await start("node agent.mjs", { ...env, PWD: folder }, /^Listening/);
  await play("docs/quickstart/agent.md", 4, withAgent(counter));
  writeFileSync(join(clone, "check-and-seal.yaml"), blockOf("docs/quickstart/workflow.md", "yaml"));
  await play("docs/quickstart/workflow.md", 4, machine);
  const ADMIN_TOKEN = readFileSync(
    join(clone, ".crosszone/local", String(env["VERIFICATION_PORT"]), "admin-token"),
    "utf8",
  );
  await play("docs/workflows.md", 16, { env: { ...env, ADMIN_TOKEN: ADMIN_TOKEN.trim() }, places });
  await first.stop();

  const model = await LLMock.create({ port: 0, chunkSize: 8, latency: 30 });
  onTestFinished(() => model.stop());
  model.loadFixtureFile(resolve(root, "examples/models/demo.json"));
  const command = /^OPENAI_BASE_URL=http:\/\/127.0.0.1:4010.*/m.exec(textOf("docs/quickstart/model.md"))?.[0] ?? "";
  await startCrosszone(machine, command.replace("http://127.0.0.1:4010", model.url));
  await play("docs/quickstart/model.md", 1, machine);
});

interface Film {
  readonly filmPath: string;
  readonly sceneHash: () => string;
  readonly playScene: (how: { readonly isFilmed: boolean }) => Promise<{ readonly words: string }>;
  readonly readFilm: (png: Buffer) => { readonly frames: number; readonly seconds: number; readonly comment: string };
}

test("Q5: the moving picture is from these scripts, and shows the words that people see today", async () => {
  const { filmPath, sceneHash, playScene } = (await import(resolve(root, "dev/scripts/pictures/film.ts"))) as Film;
  const { readFilm } = (await import(resolve(root, "dev/scripts/pictures/film-camera.ts"))) as Film;
  const film = readFileSync(filmPath);
  const { frames, seconds, comment } = readFilm(film);
  expect(textOf("README.md")).toContain("](docs/images/film.png)");
  expect([statSync(filmPath).size <= 1_000_000, frames > 20, seconds > 10 && seconds < 25]).toEqual([true, true, true]);
  const [hash, ...words] = comment.split("\n");
  expect(hash, "Film it again: pnpm pictures").toBe(sceneHash());
  expect(words.join("\n")).toBe((await playScene({ isFilmed: false })).words);
});

/** Commands of the pages that don't run above, with where they run instead, or why they can't. */
const elsewhere: readonly (readonly [command: RegExp, why: string])[] = [
  [
    /^(git clone https:\/\/github\.com\/crosszone\/crosszone|cd crosszone|npx -y pnpm@[\d.]+ dev)$/,
    "they begin the test above",
  ],
  [/^(PYTHONPATH=kits\/python python3 agent\.py|node agent\.mjs)$/, "it runs while the commands above do"],
  [
    /^(npx -y pnpm@[\d.]+ demo:model|OPENAI_BASE_URL=\S+ MODEL=openai\/demo \.\/crosszone dev)$/,
    "it runs above with other ports",
  ],
  [/^\.\/crosszone dev$/, "the second start above; zone-file.test.ts and dev.test.ts have the rest"],
  [/^\.\/crosszone doctor$/, "dev/scripts/doctor/report.test.ts compares what it prints with the pages"],
  [/^\.\/crosszone conformance /, "kits.test.ts runs it with an agent of each kit"],
  [
    /^(KAFKA_BROKERS=\S+ )?docker (compose|build) /,
    "it needs a Docker daemon; images.test.ts builds and runs the images",
  ],
  [
    /^(export NODE_EXTRA_CA_CERTS=|\.\/crosszone agents add counter http:\/\/host\.docker\.internal)/,
    "it needs a Docker daemon; image.test.ts reads the page, and images.test.ts runs the images",
  ],
  [/^kubectl /, "it needs a cluster; the manifests are validated against the schemas of Kubernetes"],
  [/^claude mcp add /, "it needs an account; the inspector of external/mcp connects in the same way"],
  [/^aws |^npx -y pnpm@[\d.]+ --dir deploy\/aws /, "it needs an account; tests synthesize and lint the templates"],
  [/^npx -y pnpm@[\d.]+ deploy:agentcore /, "it needs an account; its tests have a strict control plane on loopback"],
  [
    /^(mkdir \.\.\/words|cd \.\.\/words|\.\.\/crosszone\/crosszone kit:pack agent|npm install \.\.\/crosszone\/release\/crosszone-agent\.tgz|python3 -m venv \.venv|\.venv\/bin\/pip install .*|go mod (init|edit) .*)$/,
    "agent-package.test.ts and kits.test.ts install the packed kits",
  ],
  [/^npx -y pnpm@[\d.]+ test$/, "each change runs it, as a part of CI"],
  [/^(\.venv\/bin\/python agent\.py|go run \.)$/, "kits.test.ts starts the agents of the page"],
];

test("every other command of the README and the quickstarts is listed with where it is run, or why it isn't", () => {
  const pages = ["README.md", ...globSync("docs/quickstart/*.md", { cwd: root }).toSorted()];
  const commands = pages.flatMap((page) => {
    const played = new Set(commandsOf(textOf(page)).flatMap(({ command }) => command.split("\n")));
    return [...textOf(page).matchAll(/^ *```sh\n([^]*?)^ *```/gm)]
      .flatMap(([, block = ""]) => block.replaceAll("\\\n", "").split("\n"))
      .map((line) => line.trim())
      .filter((line) => line !== "" && !line.startsWith("#") && !played.has(line));
  });
  expect(commands.length).toBeGreaterThan(10);
  expect(commands.filter((line) => !elsewhere.some(([command]) => command.test(line)))).toEqual([]);
  expect(elsewhere.filter(([command]) => !commands.some((line) => command.test(line)))).toEqual([]);
});

test("the README shows the command that starts everything and the one that passes the tests, and CI runs that one", () => {
  const { packageManager } = JSON.parse(textOf("package.json")) as { readonly packageManager: string };
  const blocks = [...textOf("README.md").matchAll(/^```sh\n([^]*?)^```/gm)].map(([, block = ""]) => block.trimEnd());
  expect(blocks[0]?.split("\n").at(-1)).toBe(`npx -y ${packageManager} dev`);
  expect(blocks).toContain(`npx -y ${packageManager} test`);
  expect(textOf(".ci/run")).toContain(`pnpm() { npx -y ${packageManager} "$@"; }`);
  expect(textOf(".ci/run")).toContain('step "test" pnpm test;');
});
