// @module-tag judge
import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { tempFolder } from "@crosszone/testkit/temporary";
import { expect, onTestFinished, test } from "vitest";
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

  const file = join(folder, "agent.mjs");
  const source = readFileSync(file, "utf8");
  writeFileSync(file, source.replace("words, ${", "WORDS, ${"));
  await dev.wrote("Restarted after an edit of agent.mjs");
  expect(await zone.ask("word-counter", "And now?")).toContain("2 WORDS, 8 characters");

  const [, agent = ""] = /Listening on (\S+)/.exec(dev.output()) ?? [];
  const isGone = (): Promise<boolean> =>
    fetch(agent).then(
      () => false,
      () => true,
    );
  let said = "";
  // The pauses between repeats are random: all of them can be over before a slow agent is back.
  for (let count = 1; count <= 3 && !said.includes("words"); count += 1) {
    const slow = `await new Promise((done) => setTimeout(done, ${500 + count}));`;
    writeFileSync(file, `${slow}\n${source}`);
    await expect.poll(isGone, { interval: 10 }).toBe(true);
    said = await zone.ask("word-counter", "During a restart?");
    await dev.wrote("Restarted after an edit of agent.mjs", count + 1);
  }
  expect(said).toContain("3 words, 17 characters");

  // The next start replaces what a crash leaves behind.
  dev.process.kill("SIGKILL");
  await dev.closed;
  expect(await agents()).toContain("word-counter");
  await expect.poll(isGone).toBe(true);
  const again = startDev(folder, { CROSSZONE_URL: zone.url, CROSSZONE_TOKEN: adminToken });
  await again.wrote("ask word-counter: …");
  expect(await zone.ask("word-counter", "hello there")).toContain("2 words, 11 characters");
  again.process.kill("SIGTERM");
  await again.closed;
  expect(await agents()).not.toContain("word-counter");
});

/** Runs `crosszone agents dev agent.mjs` in a folder. */
function startDev(cwd: string, env: Readonly<Record<string, string>>) {
  const main = join(root, "tools/cli/src/main.ts");
  const args = ["--conditions=@crosszone/source", main, "agents", "dev", "agent.mjs"];
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
    /** Resolves once the output has these words so many times. */
    wrote: async (words: string, count = 1): Promise<void> => {
      await expect.poll(() => output.split(words).length - 1).toBeGreaterThanOrEqual(count);
    },
  };
}
