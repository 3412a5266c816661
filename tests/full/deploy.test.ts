import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startDevSlack } from "@crosszone/dev-slack";
import { expect, onTestFinished, test } from "vitest";
import { stateOf } from "../harness/start-crosszone.ts";
import { startProcess } from "../harness/start-process.ts";
import { run } from "./run-command.ts";

const root = resolve(import.meta.dirname, "../..");

/** The commands of the operations page that make a folder of each zone, without the build: turbo does it before this test. */
const deployCommands = (): string[] =>
  [...readFileSync(join(root, "docs/operations.md"), "utf8").matchAll(/^npx -y pnpm@[\d.]+ (.* deploy .*)$/gm)].map(
    ([, command = ""]) => command,
  );

test("each zone's folder, made as the operations page says, holds all that it needs: together they answer", async () => {
  const dir = mkdtempSync(join(tmpdir(), "crosszone-deploy-"));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  expect(existsSync(join(root, "apps/execution/dist/main.js")), "run `pnpm build` first").toBe(true);
  const commands = deployCommands();
  expect(commands).toHaveLength(2);
  for (const command of commands) await run("pnpm", command.replace("/srv/", `${dir}/`).split(" "), { cwd: root });
  for (const zone of ["execution", "verification"])
    expect(readdirSync(join(dir, zone))).toEqual(expect.not.arrayContaining(["src", ".turbo", ".tsbuildinfo"]));

  const args = ["dist/main.js"];
  const token = "link-token-of-thirty-two-characters";
  const execution = await startProcess({
    cwd: join(dir, "execution"),
    args,
    env: { EXECUTION_PORT: "0", EXECUTION_TOKEN: token },
  });
  const slack = await startDevSlack();
  onTestFinished(() => slack.close());
  const verificationEnv = {
    VERIFICATION_PORT: "0",
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_API_URL: slack.apiUrl,
    EXECUTION_URL: `${execution.url}/rpc`,
    EXECUTION_TOKEN: token,
  };
  const verification = await startProcess({ cwd: join(dir, "verification"), args, env: verificationEnv });
  await expect.poll(async () => (await fetch(`${verification.url}/readyz`)).status, { timeout: 20_000 }).toBe(200);
  slack.setEventsUrl(`${verification.url}/slack/events`);

  const port = new URL(execution.url).port;
  const doctors = [
    { zone: "execution", env: { EXECUTION_PORT: port, EXECUTION_TOKEN: token }, says: /✓ port +the zone listens/ },
    { zone: "verification", env: verificationEnv, says: /✓ execution answers +it knows this zone/ },
  ];
  for (const { zone, env, says } of doctors)
    expect(await run(process.execPath, ["dist/doctor.js"], { cwd: join(dir, zone), env })).toMatch(says);
  const asked = slack.control.postMessage({ channel: "dm", text: "2+2 in words?" });
  const answer = await slack.control.waitForMessage(
    (message) => message.thread_ts === asked.ts && stateOf(message) === "done",
    20_000,
  );
  expect(answer.markdown_text).toContain("four");
  expect([await verification.stop(), await execution.stop()]).toEqual([0, 0]);
});
