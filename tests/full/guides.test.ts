import { readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { checkConformance } from "@crosszone/conformance";
import { expect, onTestFinished, test } from "vitest";
import { freePort } from "@crosszone/testkit";
import { callerOf, startExecutionProcess } from "@crosszone/testkit/process";
import { rowsAfter } from "../harness/browser.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";
import { pythonOf } from "../harness/install-once.ts";
import { type CommandLine, startServer } from "../harness/run-program.ts";

const root = resolve(import.meta.dirname, "../..");

/** Programs in this folder can import the packages of these tests, such as the kit and the SDK. */
const besidePackages = join(root, "tests/node_modules/.cache/guides");

/** A program that a guide shows. */
interface GuideProgram {
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
async function startGuide({ page, command, requirements, path }: GuideProgram): Promise<string> {
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

interface Guide extends GuideProgram {
  readonly question: string;
  readonly answer: string;
}

const requirements = "tests/full/guides/requirements.txt";
const library = "When is the library open?";

const langgraph: Guide = {
  page: "langgraph.md",
  command: "python agent.py",
  requirements,
  path: "",
  question: library,
  answer: "It is open on weekdays.",
};
const mounted = { path: "/a2a", question: library, answer: "The library is open from 10 to 20." };
const kitGuides: readonly Guide[] = [
  langgraph,
  { page: "fastapi.md", command: "uvicorn main:app --port 8090", requirements, ...mounted },
  { page: "express.md", command: "node server.mjs", ...mounted },
];

const counter = {
  page: "a2a-sdk.md",
  path: "",
  question: "How many words are here?",
  answer: "5 words, 24 characters",
};
const sdkGuides: readonly Guide[] = [
  { ...counter, command: "node agent.mjs" },
  { ...counter, command: "python agent.py", requirements: "examples/agents/a2a-python/requirements.txt" },
];

async function startGuideZone(guide: GuideProgram): Promise<{ readonly url: string; readonly zone: string }> {
  const url = await startGuide(guide);
  const EXECUTION_FILE = writeAgentsFile([{ name: "guide", url }]);
  const { url: zone } = await startExecutionProcess({ EXECUTION_FILE, AGENT_ORIGINS: "http://127.0.0.1:*" });
  return { url, zone };
}

/** Returns the failed checks of required rules. */
async function failuresOf(url: string, question: string): Promise<readonly string[]> {
  const { checks } = await checkConformance({ url, fetch, questions: { answered: question } });
  // Both versions have streaming.
  expect(checks.filter(({ id, status }) => id === "stream-text" && status === "passed")).toHaveLength(2);
  const failed = checks.filter(({ level, status }) => level === "must" && status === "failed");
  return failed.map(({ protocol, id }) => `${protocol === "a2a-1.0" ? "A2A 1.0" : "A2A 0.3"} ${id}`);
}

test.each(kitGuides)(
  "R9.5: the agent of $page answers, streams and complies with both versions of A2A",
  async (guide) => {
    const { url, zone } = await startGuideZone(guide);
    const answer = await callerOf(zone).ask("guide", guide.question);
    expect(answer).toMatchObject({ result: { response_text: guide.answer } });
    expect(await failuresOf(url, guide.question)).toEqual([]);
  },
);

test.each(sdkGuides)(
  "R9.5: the agent of $page that `$command` starts answers and streams; the page lists the defects of its SDK",
  async (guide) => {
    const { url, zone } = await startGuideZone(guide);
    const answer = await callerOf(zone).ask("guide", guide.question);
    expect(answer).toMatchObject({ result: { response_text: guide.answer } });
    const page = readFileSync(resolve(import.meta.dirname, "../../docs/guides", guide.page), "utf8");
    const findings = rowsAfter(page, "sdk findings").filter(
      ([sdk = ""]) => sdk.startsWith("`@") === guide.command.startsWith("node"),
    );
    const known = findings.map(([, protocol, check = ""]) => `${protocol} ${check.replaceAll("`", "")}`);
    expect(known.length).toBeGreaterThan(0);
    expect((await failuresOf(url, guide.question)).filter((failure) => !known.includes(failure))).toEqual([]);
  },
);

test("R9.5: a LangGraph graph that asks the person continues with their next message", async () => {
  const { zone } = await startGuideZone(langgraph);
  const thread = { agent: "guide", thread_ts: "1.1" };
  const question = await callerOf(zone).ask("guide", "When is it open?", thread);
  expect(question).toMatchObject({ result: { response_text: "Which place do you mean?" } });
  const answer = await callerOf(zone).ask("guide", "The library", thread);
  expect(answer).toMatchObject({ result: { response_text: langgraph.answer } });
});
