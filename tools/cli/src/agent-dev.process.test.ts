import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { agentFolder, edit, runAgentCommand, type AgentCommand } from "./testing/run-agent-command.ts";
import { converse } from "./agent-dev/run-dev.ts";
import { findAgent } from "./agent-dev/start-proxy.ts";

/** Starts the command and returns the address of its proxy. */
async function dev(cwd: string, ...argv: string[]): Promise<AgentCommand & { readonly proxy: string }> {
  const command = runAgentCommand(["dev", "--no-slack", ...argv], { cwd });
  const [, proxy = ""] = await command.wrote(/^Proxy (\S+)/m);
  return { ...command, proxy };
}

const ask = async (proxy: string, text: string): Promise<string> =>
  (await converse().say(await findAgent(proxy), text)).text;

const isGone = async (url: string): Promise<boolean> =>
  fetch(url).then(
    () => false,
    () => true,
  );

describe.each([
  ["node", "agent.mjs", "words, ${"],
  ["python", "agent.py", "words, {"],
  ["go", "main.go", "words, %d"],
] as const)("an agent in %s", (language, file, from) => {
  test("answers through the proxy, answers within two seconds after an edit, and ends with the command", async () => {
    const cwd = agentFolder(language);
    const { proxy, wrote, signal, ended, output } = await dev(cwd, language === "go" ? "." : file);
    expect(await ask(proxy, "How many words?")).toBe("3 words, 15 characters");
    await wrote(/^→ 1 SendMessage "How many words\?"$/m);
    await wrote(/^← 1 message "3 words, 15 characters" \(\d+ ms\)$/m);
    let shortestMs = Infinity;
    // Other tests run at the same time: the fastest of a few edits counts. The first build fills the caches of the compiler.
    for (let count = 1, before: string = from; count <= 6 && shortestMs >= 2_000; count += 1) {
      const after = from.replace("words", `words${count}`);
      const edited = performance.now();
      edit(join(cwd, file), before, after);
      await wrote(/Restarted after an edit of/);
      expect(await ask(proxy, "How many words?")).toBe(`3 words${count}, 15 characters`);
      shortestMs = Math.min(shortestMs, performance.now() - edited);
      before = after;
    }
    process.stderr.write(`${language}: edit to answer ${Math.round(shortestMs)} ms\n`);
    // Other programs slow the compiler and linker of Go down: 1.2 s on a machine of its own.
    expect(shortestMs).toBeLessThan(language === "go" ? 10_000 : 2_000);
    const [, agent = ""] = /Listening on (\S+)/.exec(output()) ?? [];
    signal("SIGTERM");
    expect(await ended).toBe(0);
    expect([await isGone(proxy), await isGone(agent)]).toEqual([true, true]);
  });
});

test("a syntax error is shown to the author and to callers, and a correction brings the agent back", async () => {
  const cwd = agentFolder("python");
  const { proxy, wrote } = await dev(cwd, "agent.py");
  const agent = await findAgent(proxy);
  edit(join(cwd, "agent.py"), "def answer(text):", "def answer(text:");
  await wrote(/^agent {2}.*SyntaxError: .*$/m);
  await wrote(/^The agent exited with code 1: SyntaxError: /m);
  const refused = await converse().say(agent, "hi");
  expect(refused).toMatchObject({ state: "error", text: expect.stringContaining("SyntaxError: ") as string });
  edit(join(cwd, "agent.py"), "def answer(text:", "def answer(text):");
  await wrote(/Restarted after an edit/);
  expect(await ask(proxy, "hi")).toBe("1 words, 2 characters");
});

test("a Go agent that does not compile leaves the last version running", async () => {
  const cwd = agentFolder("go");
  const { proxy, wrote } = await dev(cwd, "main.go");
  edit(join(cwd, "main.go"), "func handle(", "func handle(!");
  await wrote(/^agent {2}\.\/main\.go:\d+:\d+: syntax error/m);
  await wrote(/^The last version keeps running\.$/m);
  expect(await ask(proxy, "hi")).toBe("1 words, 2 characters");
});

test("a crash is reported in one sentence with the agent's own error", async () => {
  const cwd = agentFolder("node");
  const fatal = '(setTimeout(() => { throw new RangeError("out of words"); }, 20), "dying")';
  edit(
    join(cwd, "agent.mjs"),
    "const answer = (question) =>",
    `const answer = (question) => question === "die" ? ${fatal} :`,
  );
  const { proxy, wrote } = await dev(cwd, "agent.mjs");
  expect(await ask(proxy, "die")).toBe("dying");
  await wrote(/^The agent exited with code 1: RangeError: out of words\. Edit it to start it again\.$/m);
});

test("an agent that does not start says why once: a missing import, a syntax error, an error in its first lines", async () => {
  const cwd = agentFolder("node");
  for (const [line, reason] of [
    ['import "not-a-package";', "Error \\[ERR_MODULE_NOT_FOUND\\]: Cannot find package 'not-a-package'"],
    ["const words = ;", "SyntaxError: Unexpected token ';'"],
    ["(function f(n) { if (n === 0) throw new RangeError('too deep'); f(n - 1); })(20);", "RangeError: too deep"],
  ] as const) {
    writeFileSync(join(cwd, "broken.mjs"), `${line}\n`);
    const { output, signal, ended } = await dev(cwd, "broken.mjs");
    signal("SIGTERM");
    await ended;
    expect(output().match(new RegExp(`^The agent exited with code 1: ${reason}`, "gm"))).toHaveLength(1);
    expect(output().match(/^The agent/gm)).toHaveLength(1);
  }
});

test("an agent that ignores PORT, one started by a command line and one at a URL are found", async () => {
  const cwd = agentFolder("node");
  edit(
    join(cwd, "agent.mjs"),
    "Number(process.env.PORT ?? 8091)",
    "Number(process.env.OWN_PORT ?? process.env.PORT) + 1",
  );
  const { proxy, output } = await dev(cwd, "--command", "node agent.mjs");
  expect(await ask(proxy, "hi")).toBe("1 words, 2 characters");
  const [, agent = ""] = /Listening on (\S+)/.exec(output()) ?? [];
  const beside = await dev(cwd, agent);
  expect(await ask(beside.proxy, "a b")).toBe("2 words, 3 characters");
});

test("what can't be run is refused with what to do", async () => {
  const cwd = agentFolder("node");
  for (const [argv, words] of [
    [["missing.py"], "missing.py does not exist. Name the agent's file or folder, or its URL."],
    [["README.md"], "Agents in .md are unknown."],
    [["."], "The folder has no go.mod."],
    [["agent.mjs", "--port", "99999"], "--port must be a whole number from 1 to 65535"],
  ] as const) {
    const command = runAgentCommand(["dev", ...argv], { cwd });
    expect([await command.ended, command.output()]).toEqual([2, expect.stringContaining(words)]);
  }
});
