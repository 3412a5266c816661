// suite: rest
// @module-tag judge
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { devSlackForTest } from "./testing/dev-slack-for-test.ts";

const MAIN = fileURLToPath(new URL("main.ts", import.meta.url));

function start(env: Record<string, string>): ReturnType<typeof spawn> {
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", MAIN], {
    env: { PATH: process.env["PATH"], DEV_SLACK_PORT: "0", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

async function outcome(env: Record<string, string>): Promise<{ code: unknown; errors: string }> {
  const child = start(env);
  const [errors, [code]] = await Promise.all([child.stderr ? text(child.stderr) : "", once(child, "exit")]);
  return { code, errors };
}

test("the process serves with the given secrets and ends well on SIGTERM", async () => {
  const child = start({ SLACK_BOT_TOKEN: "xoxb-from-env", SLACK_SIGNING_SECRET: "s3cret", SLACK_APP_TOKEN: "" });
  const [line] = (await once(child.stdout ?? child, "data")) as [Buffer];
  const url = /at (http:\S+)/.exec(line.toString())?.[1];
  const answer = await fetch(`${url}/api/auth.test`, { headers: { authorization: "Bearer xoxb-from-env" } });
  expect(await answer.json()).toMatchObject({ ok: true });
  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
});

test("a busy port is one line that names the port and the variable", async () => {
  const dev = await devSlackForTest();
  const { port } = new URL(dev.url);
  const { code, errors } = await outcome({ DEV_SLACK_PORT: port });
  expect([code, errors]).toEqual([
    1,
    `Port ${port} is in use. Set DEV_SLACK_PORT to another port for the local Slack.\n`,
  ]);
});

test("every wrong variable is named at once, and no secret is repeated", async () => {
  const { code, errors } = await outcome({
    DEV_SLACK_PORT: "many",
    DEV_SLACK_UPSTREAM: "?",
    SLACK_BOT_TOKEN: "my-secret",
  });
  expect(code).toBe(1);
  for (const name of ["DEV_SLACK_PORT", "DEV_SLACK_UPSTREAM", "SLACK_BOT_TOKEN"]) expect(errors).toContain(name);
  expect(errors).not.toContain("my-secret");
});
