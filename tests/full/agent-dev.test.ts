import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
import { commandsOf, replayed } from "../harness/run-transcript.ts";
import { adminToken } from "../harness/runs-api.ts";
import { startWithAgents } from "../harness/start-crosszone.ts";

const root = resolve(import.meta.dirname, "../..");

test("an agent under development answers in Slack, reloads after an edit, and leaves the zone when the command ends", async () => {
  const zone = await startWithAgents({ env: { ADMIN_TOKENS: adminToken, AGENT_ORIGINS: "http://127.0.0.1:*" } });
  const folder = tempFolder();
  cpSync(join(root, "examples/agents/node"), folder, { recursive: true });
  const agents = async (): Promise<string> =>
    (await fetch(`${zone.url}/api/v1/agents`, { headers: { authorization: `Bearer ${adminToken}` } })).text();

  const dev = startDev(folder, {
    CROSSZONE_URL: zone.url,
    CROSSZONE_TOKEN: adminToken,
    DEV_SLACK_PORT: new URL(zone.slack.url).port,
  });
  await dev.wrote(`In ${zone.slack.url}: ask word-counter: …`);
  expect(await zone.ask("word-counter", "How many words?")).toContain("3 words, 15 characters");
  await dev.wrote('→ 1 SendMessage "How many words?"');

  const file = join(folder, "agent.mjs");
  const edited = performance.now();
  writeFileSync(file, readFileSync(file, "utf8").replace("words, ${", "WORDS, ${"));
  await dev.wrote("Restarted after an edit of agent.mjs");
  expect(await zone.ask("word-counter", "And now?")).toContain("2 WORDS, 8 characters");
  process.stderr.write(`edit to answer in Slack: ${Math.round(performance.now() - edited)} ms\n`);

  // The next start replaces what a crash leaves behind.
  dev.process.kill("SIGKILL");
  await dev.closed;
  expect(await agents()).toContain("word-counter");
  const [, agent = ""] = /Listening on (\S+)/.exec(dev.output()) ?? [];
  const isGone = (): Promise<boolean> =>
    fetch(agent).then(
      () => false,
      () => true,
    );
  await expect.poll(isGone, { timeout: 10_000 }).toBe(true);
  const again = startDev(folder, { CROSSZONE_URL: zone.url, CROSSZONE_TOKEN: adminToken }, ["--ask", "hello there"]);
  await again.wrote("2 WORDS, 11 characters");
  await again.closed;
  expect(await agents()).not.toContain("word-counter");
});

test("a question from the terminal is in the Traffic tab, and a name that is in use is reported", async () => {
  const zone = await startWithAgents({ env: { ADMIN_TOKENS: adminToken, AGENT_ORIGINS: "http://127.0.0.1:*" } });
  const env = {
    CROSSZONE_URL: zone.url,
    CROSSZONE_TOKEN: adminToken,
    DEV_SLACK_PORT: new URL(zone.slack.url).port,
  };
  const folder = join(root, "examples/agents/node");
  const taken = startDev(folder, env, ["--name", "proofreader"]);
  await taken.wrote("Not in Slack:");
  await taken.wrote("Choose another name with --name.");
  taken.process.kill("SIGTERM");
  const dev = startDev(folder, env);
  await dev.wrote("Proxy http");
  const [, proxy = ""] = /^Proxy (\S+)/m.exec(dev.output()) ?? [];
  await fetch(proxy, {
    method: "POST",
    headers: { "content-type": "application/json", "x-crosszone-from": "terminal", "a2a-version": "1.0" },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: "1",
      method: "SendMessage",
      params: { message: { messageId: "m", role: "ROLE_USER", parts: [{ text: "typed here" }] } },
    }),
  });
  await expect
    .poll(() => zone.slack.control.traffic().map(({ name }) => name), { timeout: 10_000 })
    .toContain("word-counter: SendMessage");
});

test("the command of the agent dev page prints what it shows", async () => {
  const page = readFileSync(join(root, "docs/quickstart/agent-dev.md"), "utf8");
  const real = await replayed(page, {}, { MODEL: "none" });
  const steady = real.replaceAll(/(http:\/\/127\.0\.0\.1):\d+/g, "$1:…").replaceAll(/\b\d+ ms$/gm, "… ms");
  expect(commandsOf(page)).toHaveLength(1);
  expect(commandsOf(steady)).toEqual(commandsOf(page));
});

/** Runs `crosszone agents dev agent.mjs` in a folder. */
function startDev(cwd: string, env: Readonly<Record<string, string>>, more: readonly string[] = []) {
  const main = join(root, "tools/cli/src/main.ts");
  const args = ["--conditions=@crosszone/source", main, "agents", "dev", "agent.mjs", ...more];
  const child = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const closed = once(child, "close");
  onTestFinished(async () => {
    child.kill("SIGTERM");
    await closed;
  });
  let output = "";
  child.stdout.on("data", (piece: Buffer) => (output += piece.toString()));
  return {
    process: child,
    closed,
    output: () => output,
    wrote: async (words: string): Promise<void> => {
      await expect.poll(() => output, { timeout: 20_000 }).toContain(words);
    },
  };
}
