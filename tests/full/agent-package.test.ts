import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { compilerPath, oldestCompiler, oldestNode, packInto, repoDir } from "./release-copy.ts";
import { run } from "./run-command.ts";

const testsDir = join(repoDir, "tests");
const readme = readFileSync(join(repoDir, "tools/agent/README.md"), "utf8");
const dir = mkdtempSync(join(tmpdir(), "crosszone-agent-"));
const tarball = join(dir, "agent.tgz");

beforeAll(async () => {
  await run("pnpm", ["pack", "--out", tarball], { cwd: join(repoDir, "tools/agent") });
  writeFileSync(join(dir, "package.json"), JSON.stringify({ private: true, type: "module" }));
  const env = { npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: join(dir, "cache") };
  await run("npm", ["install", tarball, "--no-audit", "--no-fund"], { cwd: dir, env });
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

test("the agent package has no tests, no dependencies and no source condition", async () => {
  const files = await run("tar", ["-tzf", tarball], { cwd: dir });
  expect(files).toContain("package/dist/index.d.ts");
  const installed = globSync(join(dir, "node_modules/@crosszone/agent/{bundle,dist}/**/*.{js,d.ts}"));
  expect(installed.length).toBeGreaterThan(2);
  const imports = installed.map((file) => readFileSync(file, "utf8")).join("\n");
  expect(imports).not.toMatch(/from "(?!node:|\.\/)/);
  expect(files).toContain("package/LICENSE");
  expect(files).not.toMatch(/testing|\.test\.|\.ts$(?<!\.d\.ts)/m);
  const text = await run("tar", ["-xzOf", tarball, "package/package.json"], { cwd: dir });
  expect(JSON.parse(text)).not.toHaveProperty("dependencies");
  expect(text).not.toMatch(/"@crosszone\/source"/);
});

test.each([
  ["5.9.3", oldestCompiler],
  ["7.0.2", compilerPath(import.meta.url)],
])("the README's examples type-check with TypeScript %s", async (version, compiler) => {
  const folder = join(dir, version);
  mkdirSync(join(folder, "types"), { recursive: true });
  symlinkSync(join(testsDir, "node_modules/@types/node"), join(folder, "types/node"));
  const blocks = [...readme.matchAll(/^```ts\n([^]*?)^```/gm)].map(([, block = ""]) => block);
  const files = blocks.map((_block, index) => `example-${index}.ts`);
  for (const [index, file] of files.entries()) writeFileSync(join(folder, file), blocks[index] ?? "");
  const strict = { strict: true, exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true };
  const compilerOptions = {
    ...strict,
    module: "nodenext",
    target: "es2023",
    lib: ["es2023"],
    noEmit: true,
    typeRoots: ["types"],
    types: ["node"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files }));
  expect(files).toHaveLength(2);
  expect(await run(process.execPath, [compiler, "--version"], { cwd: folder })).toBe(`Version ${version}\n`);
  expect(await run(process.execPath, [compiler, "-p", folder], { cwd: folder })).toBe("");
});

test("an agent answers on Node 20", async ({ skip }) => {
  const node = oldestNode();
  if (node === undefined) {
    skip("NOT TESTED: npm has no Node 20 for this platform");
    return;
  }
  const question = { role: "user", messageId: "m1", parts: [{ kind: "text", text: "one two three" }] };
  const body = { jsonrpc: "2.0", id: 1, method: "message/stream", params: { message: question } };
  const program = `
    process.env.PORT = "0";
    const { serve, UserError } = await import("@crosszone/agent");
    const { url, stop } = await serve({ name: "A", description: "B" }, async function* ({ text }, task) {
      task.progress("Counting…");
      for (const word of text.split(" ")) yield word.length + " ";
      task.file("a.txt", "text/plain", "hi");
      if ((await task.ask("More?")).text === "no") throw new UserError("Too bad.");
    });
    const headers = { "content-type": "application/json" };
    const send = (body) => fetch(url, { method: "POST", headers, body: JSON.stringify(body) });
    const stream = await (await send(${JSON.stringify(body)})).text();
    const taskId = JSON.parse(stream.split("\\n")[0].slice(6)).result.id;
    const message = { ...${JSON.stringify(question)}, messageId: "m2", taskId, parts: [{ kind: "text", text: "no" }] };
    const { result } = await (await send({ jsonrpc: "2.0", id: 2, method: "message/send", params: { message } })).json();
    console.log(process.version.split(".")[0], result.status.state, result.status.message.parts[0].text);
    console.log(result.artifacts.map(({ parts }) => parts[0].text ?? parts[0].file.name).join());
    await stop();`;
  writeFileSync(join(dir, "main.js"), program);
  const printed = await run(node, ["main.js"], { cwd: dir });
  expect(printed.replace(/^Listening on .*\n/, "")).toBe("v20 failed Too bad.\n3 3 5 ,a.txt\n");
});

test("Q38: one kit is packed and shown alone, and another name is answered with all of them", async () => {
  const release = join(dir, "one");
  expect(await packInto(release, "agent")).toMatch(
    /^The kits .*\n\nTypeScript and JavaScript:\n {2}npm install \S+\.tgz\n$/,
  );
  expect(existsSync(join(release, "crosszone-agent.tgz"))).toBe(true);
  expect(await packInto(release, "python", "go")).toMatch(/\n\nPython:\n.*\n\nGo:\n.*\n$/);
  await expect(packInto(release, "java")).rejects.toThrow(
    "There is no kit java. The kits: agent, python, go, cli, create, contracts.",
  );
});

test("the kits, which no registry has yet, are installed with the lines that kit:pack prints, and an agent runs", async () => {
  const printed = await packInto(join(dir, "release"));
  expect(printed).toContain("not published yet");
  const lineOf = (language: string): string => new RegExp(`^${language}:\\n  (.+)$`, "m").exec(printed)?.[1] ?? "";
  const guide = readFileSync(join(repoDir, "docs/quickstart/write-an-agent.md"), "utf8");
  const program = (language: string): string =>
    new RegExp(`^\`\`\`${language}\\n([^]*?)^\`\`\``, "m").exec(guide)?.[1] ?? "";
  const folder = join(dir, "newcomer");
  mkdirSync(folder);
  const env = { npm_config_registry: "http://127.0.0.1:9/", npm_config_cache: join(dir, "cache"), GOFLAGS: "-mod=mod" };
  await run("sh", ["-c", lineOf("TypeScript and JavaScript")], { cwd: folder, env });
  writeFileSync(
    join(folder, "agent.mjs"),
    `${program("js").replace("serve(", "const { url, stop } = await serve(")}
    console.log((await (await fetch(new URL("/.well-known/agent-card.json", url))).json()).name);
    await stop();`,
  );
  const said = await run(process.execPath, ["agent.mjs"], { cwd: folder, env: { ...env, PORT: "0" } });
  expect(said).toMatch(/^Listening on http:.*\nWord counter\n$/);

  writeFileSync(join(folder, "main.go"), program("go"));
  await run("sh", ["-c", `go mod init example.com/words && ${lineOf("Go")} && go build -o words .`], {
    cwd: folder,
    env,
  });
  const [python, tool] = [lineOf("Python").split(" ").at(-1) ?? "", lineOf("The command line").split(" ").at(-1) ?? ""];
  expect(readFileSync(join(python, "pyproject.toml"), "utf8")).toContain('name = "crosszone-agent"');
  expect(await run("tar", ["-tzf", tool], { cwd: folder })).toContain("package/bin/crosszone.js");
});
