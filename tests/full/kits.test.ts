import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { freePort } from "@crosszone/testkit";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { runProgram } from "../harness/run-program.ts";
import { commandsOf, replayed, settled } from "../harness/run-transcript.ts";
import { adminToken } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-with-agents.ts";
import { askWithPythonClient, goKit, pythonKit, sampleAnswers, typescriptKit } from "./kits/kits.ts";
import { repoDir } from "./release-copy.ts";

/** All kits pass the same tests. */
const kits = [typescriptKit, pythonKit, goKit];

const path = join(repoDir, "docs/quickstart/write-an-agent.md");
const page = readFileSync(path, "utf8");
const linkToken = "link-token-of-thirty-two-characters";

describe.each(kits)("the kit of the $language examples", ({ language, file, install, command }) => {
  const folder = mkdtempSync(join(tmpdir(), `kit-${language}-`));
  const [counter = "", sample = ""] = [...page.matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm"))].map(
    ([, code = ""]) => code,
  );
  beforeAll(() => install(folder), 120_000);
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Saves an agent and starts it as a user does. Returns its URL. Ends with the test. */
  const start = async (code: string): Promise<string> => {
    writeFileSync(join(folder, file), code);
    const [program, ...args] = await command(folder);
    const env = { ...process.env, PORT: String(await freePort()) };
    const child = spawn(program, args, { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
    onTestFinished(() => void child.kill("SIGKILL"));
    const [line] = (await once(createInterface({ input: child.stdout }), "line")) as [string];
    return line.replace("Listening on ", "");
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
    const told = await replayed(page, { "http://127.0.0.1:8090": agent }, { ...CROSSZONE, DEV_SLACK_URL: slack.url });
    if (process.env["UPDATE_DOCS"]) writeFileSync(path, told);
    const outputs = (markdown: string) => commandsOf(markdown).map(({ output }) => settled(output));
    expect(commandsOf(page)).toHaveLength(3);
    expect(outputs(page)).toEqual(outputs(told));
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
    const { code, out, err } = await runProgram("packages/cli/src/main.ts", {}, ...words);
    const { summary, protocols, checks } = JSON.parse(out);
    const wrong = checks.filter(({ status }: { status: string }) => status === "failed");
    expect([wrong, err, code]).toEqual([[], "", 0]);
    expect(protocols).toEqual(["a2a-1.0", "jsonrpc-2.0"]);
    expect(summary).toMatchObject({ failed: 0, warned: 0 });
  });
});
