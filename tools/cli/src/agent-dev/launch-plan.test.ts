import { mkdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { describe, expect, onTestFinished, test } from "vitest";
import { runCli } from "../testing/run-cli.ts";
import { crashText, launchPlan, portIn } from "./start-agent.ts";
import { childEnvironment, withheldLines } from "./open-agent.ts";
import { watchAgent } from "./run-dev.ts";

describe("launch plan", () => {
  test("an agent starts by the kind of its file", () => {
    const folder = tempFolder();
    const python = join(folder, ".venv/bin/python");
    mkdirSync(join(folder, ".venv/bin"), { recursive: true });
    for (const file of ["greeter.ts", "main.py", "agent.go", ".venv/bin/python"]) writeFileSync(join(folder, file), "");
    const plan = (target: string, command?: string, env: Record<string, string> = {}) =>
      launchPlan({ target: join(folder, target), command }, env, "/tmp/built");
    const name = basename(folder);
    expect(plan("greeter.ts")).toMatchObject({ command: process.execPath, name: "greeter", folder });
    expect(plan("main.py")).toMatchObject({ command: python, name });
    rmSync(join(folder, ".venv"), { recursive: true });
    expect(plan("main.py", undefined, { VIRTUAL_ENV: "" })).toMatchObject({ command: "python3" });
    expect(plan("agent.go").build?.args.at(-1)).toBe(join(folder, "agent.go"));
    writeFileSync(join(folder, "go.mod"), "");
    expect(plan("agent.go").build?.args.at(-1)).toBe(".");
    expect(plan(".")).toMatchObject({ command: "/tmp/built/agent", name });
    expect(plan(".", "npm start")).toMatchObject({ command: "npm start", isShell: true, folder });
  });

  test("an agent gets no credentials of zones and Slack", () => {
    const env = { CROSSZONE_TOKEN: "t", SLACK_BOT_TOKEN: "t", EXECUTION_TOKEN: "t", OPENAI_API_KEY: "k", HOME: "/h" };
    expect(childEnvironment(env)).toEqual({ OPENAI_API_KEY: "k", HOME: "/h", PYTHONUNBUFFERED: "1" });
  });

  test("an agent in a clone, where .env configures the zones, gets their settings and secrets no more than Slack's", () => {
    const secrets = {
      AGENT_SECRET_SEARCH: "s",
      CALLER_JWT_JWKS: "s",
      DATABASE_URL: "postgres://u:p@db/x",
      DATABASE_URL_FILE: "/run/database",
      DATA_KEYS: "s",
      DEV_SLACK_PORT: "3100",
    };
    const own = { ANTHROPIC_API_KEY: "k", AWS_REGION: "eu-west-1", MODEL: "m", MY_TOKEN: "t", PATH: "/bin" };
    expect(childEnvironment({ ...secrets, ...own })).toEqual({ ...own, PYTHONUNBUFFERED: "1" });
    expect(withheldLines({ ...own, DATA_KEYS: "s", SLACK_BOT_TOKEN: "s", DATABASE_URL: "" })).toEqual([
      "Settings of the zones, which the agent does not get: DATA_KEYS",
    ]);
    expect(withheldLines(own)).toEqual([]);
  });

  test("the reason for the crash of a Node agent is its error, although ten stack frames follow", () => {
    const frames = Array.from(
      { length: 10 },
      (_, index) => `    at frame${index} (node:internal/modules/esm/loader:${index}:1)`,
    );
    const end = ["", "Node.js v26.10.0"];
    const code = "exited with code 1";
    expect(
      crashText(code, ["file:///a.mjs:2", "const a = ;", "", "SyntaxError: Unexpected token ';'", ...frames, ...end]),
    ).toBe("The agent exited with code 1: SyntaxError: Unexpected token ';'.");
    const missing = "Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'x' imported from /a.mjs";
    expect(crashText(code, [missing, ...frames, "{", "  code: 'ERR_MODULE_NOT_FOUND'", "}", ...end])).toBe(
      `The agent exited with code 1: ${missing}.`,
    );
  });

  test.each([
    ["Listening on http://127.0.0.1:8090", 8090],
    ["INFO: Uvicorn running on http://0.0.0.0:8000 (Press CTRL+C to quit)", 8000],
    ["model at https://example.com:443", undefined],
  ])("%s names the port %s", (line, port) => {
    expect(portIn(line)).toBe(port);
  });
});

test.each([
  [["missing.py"], "missing.py does not exist. Name the agent's file or folder, or its URL."],
  [["README.md"], "Agents in .md are unknown."],
  [["."], "The folder has no go.mod."],
  [["agent.mjs", "--port", "99999"], "--port must be a whole number from 1 to 65535"],
])("%j can't be run, and is refused with what to do", async ([file = "", ...options], words) => {
  const folder = tempFolder({ "README.md": "", "agent.mjs": "" });
  const told = await runCli("http://127.0.0.1:1", ["agents", "dev", join(folder, file), ...options]);
  expect(told).toMatchObject({ code: 2, out: "", err: expect.stringContaining(words) });
});

test("edits of sources count, also of replaced files and in new folders; data and dependencies don't", async () => {
  const folder = tempFolder({ "agent.py": "1" });
  mkdirSync(join(folder, "node_modules"));
  const seen: string[] = [];
  onTestFinished(watchAgent(folder, (path) => seen.push(path)));
  const write = (path: string): void => writeFileSync(join(folder, path), "2");
  for (const path of ["memory.json", "agent.log", "node_modules/a.js", ".agent.py.swp", "a.pyc"]) write(path);
  mkdirSync(join(folder, "prompts"));
  write("agent.py");
  await expect.poll(() => seen).toEqual(["agent.py"]);
  write("prompts/system.md");
  await expect.poll(() => seen.at(-1)).toBe("prompts/system.md");
  write("agent.py~");
  renameSync(join(folder, "agent.py~"), join(folder, "agent.py"));
  await expect.poll(() => seen).toEqual(["agent.py", "prompts/system.md", "agent.py"]);
});
