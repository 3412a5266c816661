import { readFileSync } from "node:fs";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { freePort } from "@crosszone/testkit";
import { expect, onTestFinished } from "vitest";
import { pythonOf } from "../harness/install-once.ts";
import { startServer, type CommandLine } from "../harness/run-program.ts";

const root = resolve(import.meta.dirname, "../..");

/** Programs in this folder can import the packages of these tests, such as the kit and the SDK. */
const besidePackages = join(root, "tests/node_modules/.cache/guides");

/** A program that a guide shows. */
export interface GuideProgram {
  /** Page in docs/guides. */
  readonly page: string;
  /** Command line on the page that starts it. */
  readonly command: string;
  /** Requirements file of its Python packages. */
  readonly requirements?: string;
  /** Path of the agent. */
  readonly path: string;
}

/** Returns the files of a guide with their contents. A block may append to a file, or insert text above a line. */
function filesOf(markdown: string): ReadonlyMap<string, string> {
  const blocks = markdown.matchAll(/<!-- file: ([\w.]+)(, continued|, above (.*))? -->\n\n```\w+\n([^]*?)```/g);
  const files = new Map<string, string>();
  for (const [, name = "", , line, text = ""] of blocks) {
    const before = files.get(name) ?? "";
    const at = line === undefined ? before.length : before.indexOf(line);
    files.set(name, before.slice(0, at) + text + before.slice(at));
  }
  return files;
}

/** Returns the program and arguments for a command line of a guide. */
async function runnable(command: string, requirements: string | undefined): Promise<CommandLine> {
  const [program = "", ...args] = command.split(" ");
  if (program === "node") return [process.execPath, "--conditions=@crosszone/source", ...args];
  const python = await pythonOf(join(root, requirements ?? ""));
  return program === "python" ? [python, ...args] : [python, "-m", program, ...args];
}

/** Saves the files of a guide and starts its program on a free port. Returns the URL of the agent. Ends with the test. */
export async function startGuide({ page, command, requirements, path }: GuideProgram): Promise<string> {
  const markdown = readFileSync(join(root, "docs/guides", page), "utf8");
  expect(markdown).toContain(`\`\`\`sh\n${command}\n`);
  const port = String(await freePort());
  await mkdir(besidePackages, { recursive: true });
  const cwd = await mkdtemp(join(besidePackages, "guide-"));
  onTestFinished(() => rm(cwd, { recursive: true, force: true }));
  for (const [name, text] of filesOf(markdown)) await writeFile(join(cwd, name), text);
  const [program, ...args] = await runnable(command.replace("8090", port), requirements);
  const env = { PORT: port, PYTHONPATH: join(root, "kits/python") };
  const url = `http://127.0.0.1:${port}${path}`;
  await startServer([program, ...args], { cwd, env, url: `${url}/.well-known/agent-card.json` });
  return url;
}
