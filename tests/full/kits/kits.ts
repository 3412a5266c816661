import { cpSync, globSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pythonOf } from "../../harness/install-once.ts";
import { repoDir } from "../release-copy.ts";
import { run } from "../run-command.ts";

/** A published kit, as a new user installs it. */
export interface Kit {
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
export const typescriptKit: Kit = {
  language: "js",
  file: "agent.mjs",
  install: async (folder) => {
    const tarball = join(folder, "agent.tgz");
    await run("pnpm", ["pack", "--out", tarball], { cwd: join(repoDir, "packages/agent") });
    mkdirSync(join(folder, "home"));
    writeFileSync(join(folder, "package.json"), "{}");
    const closedRegistry = { npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: join(folder, "home") };
    await run("npm", ["install", tarball, "--no-audit", "--no-fund"], { cwd: folder, env: closedRegistry });
  },
  command: async () => [process.execPath, "agent.mjs"],
};

/** `crosszone-agent`, from its wheel. */
export const pythonKit: Kit = {
  language: "python",
  file: "agent.py",
  install: async (folder) => {
    const python = await pythonOf(join(import.meta.dirname, "python-tools.txt"));
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
const env = { GOPROXY: "off", GOFLAGS: "-mod=mod" };

/** The kit for Go. It replaces the published module. */
export const goKit: Kit = {
  language: "go",
  file: "main.go",
  install: async (folder) => {
    const go = async (...args: string[]) => await run("go", args, { cwd: folder, env });
    await go("mod", "init", "example.com/words").catch((cause: unknown) => {
      throw new Error("The kit for Go needs Go 1.24 or newer. Install it.", { cause });
    });
    await go("mod", "edit", `-require=${kit}@v0.1.0`, `-replace=${kit}=${join(repoDir, "kits/go")}`);
  },
  command: async (folder) => {
    await run("go", ["build", "-o", "agent", "."], { cwd: folder, env });
    return [join(folder, "agent")];
  },
};

const requirements = join(import.meta.dirname, "../interop/agents");

/** Asks the sample agent of docs/quickstart/write-an-agent.md all questions, with the official Python client of a version. */
export async function askWithPythonClient(version: "1" | "03", url: string): Promise<unknown> {
  const python = await pythonOf(join(requirements, `requirements-${version}.txt`));
  const client = join(import.meta.dirname, `clients/client_${version}.py`);
  return JSON.parse(await run(python, [client, url], { cwd: requirements })) as unknown;
}

const done = { state: "completed", says: "", text: "One word after another.", files: [] };

/** Answers of every kit's sample agent. */
export const sampleAnswers = {
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
