import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { freePort } from "@crosszone/testkit";
import { expect, onTestFinished, test, vi } from "vitest";
import { pythonOf } from "../harness/install-once.ts";
import { repoDir } from "./release-copy.ts";
import { run } from "./run-command.ts";

const tools = join(import.meta.dirname, "kits/python-tools.txt");
const withStarlette = join(import.meta.dirname, "interop/agents/requirements-1.txt");
const textOf = (path: string): string => readFileSync(join(repoDir, path), "utf8");

/** Returns the code blocks of a page in a language. */
const blocksOf = (page: string, language: string): string[] =>
  [...textOf(page).matchAll(new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "gm"))].map(([, code = ""]) => code);

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
  const folder = mkdtempSync(join(tmpdir(), "kit-go-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
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
  const card = await vi.waitFor(async () => await fetch(`${url}/.well-known/agent-card.json`), { timeout: 20_000 });
  expect(await card.json()).toMatchObject({ name: "Echo", url: `${url}/` });
  const message = { messageId: "m1", role: "user", parts: [{ kind: "text", text: "hi" }] };
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "message/send", params: { message } });
  const response = await fetch(`${url}/`, { method: "POST", headers: { "content-type": "application/json" }, body });
  expect(await response.json()).toMatchObject({ id: 1, result: { artifacts: [{ parts: [{ text: "hi" }] }] } });
});
