// @module-tag judge
// inputs: kits/** tools/{agent,conformance}/** examples/agents/** docs/quickstart/** packages/{a2a,contracts,jsonrpc}/**
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync, cpSync, globSync, mkdirSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "@crosszone/testkit";
import { tempFolder } from "@crosszone/testkit/temporary";
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from "vitest";
import { pythonOf } from "../harness/install-once.ts";
import { runProgram, startProgram } from "../harness/run-program.ts";
import { commandsOf, record, replayed, settled } from "../harness/run-transcript.ts";
import { adminToken } from "../harness/runs-api.ts";
import { repoDir } from "./release-copy.ts";
import { run } from "./run-command.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

const tools = join(import.meta.dirname, "kits/python-tools.txt");

/** A published kit, as a new user installs it. */
interface Kit {
  /** Language of its code blocks in docs/quickstart/write-an-agent.md. */
  readonly language: string;
  /** The file in which a user saves an agent. */
  readonly file: string;
  /** Packs the kit, and installs the package into an empty folder without a registry. */
  readonly install: (folder: string) => Promise<void>;
  /** Command line that starts the agent in its folder. It may build it first. */
  readonly command: (folder: string) => Promise<readonly [string, ...string[]]>;
}

/** `@crosszone/agent`, from its tarball. */
const typescriptKit: Kit = {
  language: "js",
  file: "agent.mjs",
  install: async (folder) => {
    const tarball = join(folder, "agent.tgz");
    await run("pnpm", ["pack", "--out", tarball], { cwd: join(repoDir, "tools/agent") });
    mkdirSync(join(folder, "home"));
    writeFileSync(join(folder, "package.json"), "{}");
    const closedRegistry = { npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: join(folder, "home") };
    await run("npm", ["install", tarball, "--no-audit", "--no-fund"], { cwd: folder, env: closedRegistry });
  },
  command: async () => [process.execPath, "agent.mjs"],
};

/** `crosszone-agent`, from its wheel. */
const pythonKit: Kit = {
  language: "python",
  file: "agent.py",
  install: async (folder) => {
    const python = await pythonOf(tools);
    // A copy, since building writes into the source folder.
    cpSync(join(repoDir, "kits/python"), join(folder, "kit"), { recursive: true });
    const build = ["-m", "pip", "wheel", "--quiet", "--no-deps", "--no-index", "--no-build-isolation", "./kit"];
    await run(python, build, { cwd: folder });
    await run("python3", ["-m", "venv", "venv"], { cwd: folder });
    const [wheel = ""] = globSync("crosszone_agent-*-py3-none-any.whl", { cwd: folder });
    const install = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-index", wheel];
    await run(join(folder, "venv/bin/python"), install, { cwd: folder });
  },
  command: async (folder) => [join(folder, "venv/bin/python"), "agent.py"],
};

const kit = "github.com/crosszone/crosszone/kits/go";
const goEnv = { GOPROXY: "off", GOFLAGS: "-mod=mod" };

/** The kit for Go. It replaces the published module. */
const goKit: Kit = {
  language: "go",
  file: "main.go",
  install: async (folder) => {
    const go = async (...args: string[]) => await run("go", args, { cwd: folder, env: goEnv });
    await go("mod", "init", "example.com/words").catch((cause: unknown) => {
      throw new Error("The kit for Go needs Go 1.24 or newer. Install it.", { cause });
    });
    await go("mod", "edit", `-require=${kit}@v0.1.0`, `-replace=${kit}=${join(repoDir, "kits/go")}`);
  },
  command: async (folder) => {
    await run("go", ["build", "-o", "agent", "."], { cwd: folder, env: goEnv });
    return [join(folder, "agent")];
  },
};

const requirements = join(import.meta.dirname, "interop/agents");

/** Asks the sample agent of docs/quickstart/write-an-agent.md all questions, with the official Python client of a version. */
async function askWithPythonClient(version: "1" | "03", url: string): Promise<unknown> {
  const python = await pythonOf(join(requirements, `requirements-${version}.txt`));
  const client = join(import.meta.dirname, `kits/clients/client_${version}.py`);
  return JSON.parse(await run(python, [client, url], { cwd: requirements })) as unknown;
}

const done = { state: "completed", says: "", text: "One word after another.", files: [] };

/** Answers of every kit's sample agent. */
const sampleAnswers = {
  hello: done,
  file: { ...done, files: [["hello.txt", "text/plain", "Hello"]] },
  fail: { state: "failed", says: "This question always fails.", text: "", files: [] },
  ask: { state: "input-required", says: "Which color do you like?", text: "", files: [] },
  answered: { ...done, text: "You like blue. One word after another." },
  canceled: { state: "canceled", says: "", text: "", files: [] },
  slow: done,
  progress: ["Thinking…", ""],
  pieces: ["One ", "word ", "after ", "another."],
};

/** All kits pass the same tests. */
const kits = [typescriptKit, pythonKit, goKit];

const tutorialPath = join(repoDir, "docs/quickstart/write-an-agent.md");

const tutorial = readFileSync(tutorialPath, "utf8");

const linkToken = "link-token-of-thirty-two-characters";

const withStarlette = join(requirements, "requirements-1.txt");

const textOf = (path: string): string => readFileSync(join(repoDir, path), "utf8");

/** Returns the code blocks of a page in a language. */
const blocksOf = (page: string, language: string): string[] =>
  [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm"))].map(([, code = ""]) => code);

describe.each(kits)("the kit of the $language examples", ({ language, file, install, command }) => {
  const folder = mkdtempSync(join(tmpdir(), `kit-${language}-`));
  const [counter = "", sample = ""] = [
    ...tutorial.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm")),
  ].map(([, code = ""]) => code);
  beforeAll(() => install(folder));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Saves an agent and starts it as a user does. Returns its URL. Ends with the test. */
  const start = async (code: string): Promise<string> => {
    writeFileSync(join(folder, file), code);
    return startProgram(await command(folder), { cwd: folder });
  };

  test("K3: an agent has at most 10 lines", () => {
    const lines = counter.split("\n").filter((line) => line.trim() !== "");
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.length).toBeLessThanOrEqual(10);
  });

  test("K3: the page's agent answers in Slack, and each command prints what the page shows", async () => {
    const agent = await start(counter);
    const env = { EXECUTION_TOKEN: linkToken, ADMIN_TOKENS: adminToken, AGENT_ORIGINS: "http://127.0.0.1:*" };
    const { url, slack } = await startWithAgents({ env, verificationEnv: { EXECUTION_TOKEN: linkToken } });
    const CROSSZONE = { CROSSZONE_URL: url, CROSSZONE_TOKEN: adminToken, CROSSZONE_LINK_TOKEN: linkToken };
    const told = await replayed(
      tutorial,
      { "http://127.0.0.1:8090": agent },
      { ...CROSSZONE, DEV_SLACK_URL: slack.url },
    );
    const how = record(tutorialPath, told);
    const outputs = (markdown: string) => commandsOf(markdown).map(({ output }) => settled(output));
    expect(commandsOf(tutorial)).toHaveLength(3);
    expect(outputs(tutorial), how).toEqual(outputs(told));
  });

  test("K3: the official Python clients of both versions get all its answers", async () => {
    const agent = await start(sample);
    const answers = [askWithPythonClient("1", agent), askWithPythonClient("03", agent)];
    expect(await Promise.all(answers)).toEqual([sampleAnswers, sampleAnswers]);
  });

  test("K3: it passes the conformance command", async () => {
    const agent = await start(sample);
    const questions = ["--slow", "slow", "--ask", "ask", "--file", "file", "--fail", "fail"];
    const words = ["conformance", agent, ...questions, "--json"];
    const { code, out, err } = await runProgram("tools/cli/src/main.ts", {}, ...words);
    const { summary, protocols, checks } = JSON.parse(out);
    const wrong = checks.filter(({ status }: { status: string }) => status === "failed");
    expect([wrong, err, code]).toEqual([[], "", 0]);
    expect(protocols).toEqual(["a2a-1.0", "jsonrpc-2.0"]);
    expect(summary).toMatchObject({ failed: 0, warned: 0 });
  });
});

describe("kits own tests", () => {
  test("K3: the kit for Python passes its own tests, and is formatted", async () => {
    const cwd = join(repoDir, "kits/python");
    const ruff = join(dirname(await pythonOf(tools)), "ruff");
    await run(ruff, ["check", "--quiet", "--no-cache", "."], { cwd });
    await run(ruff, ["format", "--quiet", "--check", "--no-cache", "."], { cwd });
    const env = { PYTHONDONTWRITEBYTECODE: "1" };
    expect(await run("python3", ["-W", "ignore", "-m", "unittest"], { cwd, env })).toBe("");
  });

  test("K3: the kit for Go passes its own tests, and is formatted", async () => {
    const cwd = join(repoDir, "kits/go");
    const folder = tempFolder();
    const shown = blocksOf("docs/quickstart/write-an-agent.md", "go");
    for (const [at, code] of shown.entries()) writeFileSync(join(folder, `${at}.go`), code);
    expect(await run("gofmt", ["-l", ".", folder], { cwd })).toBe("");
    await run("go", ["vet", "./..."], { cwd });
    expect(await run("go", ["test", "-count=1", "./..."], { cwd })).toContain("ok ");
  });

  test.each(["python", "go"])("the README of the %s kit begins with the agent of the quickstart", (language) => {
    const [counter] = blocksOf("docs/quickstart/write-an-agent.md", language);
    expect(blocksOf(`kits/${language}/README.md`, language)[0]).toBe(counter);
  });

  test("the Python agent that its README mounts into Starlette answers there", async () => {
    const [, mounted = ""] = blocksOf("kits/python/README.md", "python");
    const port = await freePort();
    const program = `${mounted}\nimport uvicorn\nuvicorn.run(app, port=${port}, log_level="error")\n`;
    const env = { ...process.env, PYTHONPATH: join(repoDir, "kits/python"), PYTHONDONTWRITEBYTECODE: "1" };
    const child = spawn(await pythonOf(withStarlette), ["-c", program], { env, stdio: "inherit" });
    onTestFinished(() => void child.kill("SIGKILL"));
    const url = `http://127.0.0.1:${port}/echo`;
    const card = await vi.waitFor(async () => await fetch(`${url}/.well-known/agent-card.json`));
    expect(await card.json()).toMatchObject({ name: "Echo", url: `${url}/` });
    const message = { messageId: "m1", role: "user", parts: [{ kind: "text", text: "hi" }] };
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
    const response = await fetch(`${url}/`, { method: "POST", headers: { "content-type": "application/json" }, body });
    expect(await response.json()).toMatchObject({ id: 1, result: { artifacts: [{ parts: [{ text: "hi" }] }] } });
  });
});
