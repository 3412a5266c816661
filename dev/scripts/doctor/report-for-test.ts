import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { openExecutionDatabase } from "../../../apps/execution/src/database/open-execution-database.ts";
import { openVerificationDatabase } from "../../../apps/verification/src/database/open-verification-database.ts";
import { startDevSlack } from "../../slack/src/index.ts";
import { runDoctor } from "../../../packages/ops/src/doctor/index.ts";
import { onTestFinished } from "vitest";
import { doctorPlan } from "./plan.ts";
import { startExecution } from "../../../tests/harness/start-execution.ts";
import { startVerification } from "../../../tests/harness/start-verification.ts";
import { startPeer } from "../../../tests/harness/start-peer.ts";

const manifest = readFileSync(
  resolve(import.meta.dirname, "../../../apps/verification/slack-app-manifest.json"),
  "utf8",
);
const { bot } = (JSON.parse(manifest) as { oauth_config: { scopes: { bot: string[] } } }).oauth_config.scopes;
const token = Buffer.from(Array.from({ length: 32 }, (_, at) => (at * 73 + 41) % 256)).toString("base64url");

/** A folder in which both zones have run before. */
async function newDataFolder(): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-doctor-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await (await openExecutionDatabase({ url: `sqlite:${join(folder, "execution.sqlite")}` })).close();
  await (await openVerificationDatabase({ url: `sqlite:${join(folder, "verification.sqlite")}` })).close();
  return folder;
}

/** An environment in which nothing is wrong, or in which much is; its peers run, on loopback. */
export async function doctorEnvironment(kind: "healthy" | "sick"): Promise<Record<string, string>> {
  const execution = await startExecution({ token, log: [] });
  onTestFinished(() => execution.stop());
  const healthy = kind === "healthy";
  const scopes = healthy
    ? bot
    : [...new Set([...bot, "users:read", "admin"])].filter((scope) => scope !== "chat:write");
  const slack = await startDevSlack({ scopes });
  onTestFinished(() => slack.close());
  const env = {
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_APP_ID: slack.workspace.app.app_id,
    SLACK_API_URL: slack.apiUrl,
    EXECUTION_URL: `${execution.url}/rpc`,
    EXECUTION_TOKEN: token,
    EXECUTION_PORT: new URL(execution.url).port,
    DATA_DIR: await newDataFolder(),
    ...(healthy && { DATA_KEYS: `2026:${Buffer.from(token, "base64url").toString("base64")}` }),
  };
  const verification = await startVerification({ env, log: [] });
  onTestFinished(() => verification.stop());
  const running = { ...env, VERIFICATION_URL: verification.url };
  if (healthy) return { ...running, ALLOWED_CHANNELS: "C0GENERAL01,dm" };
  const other = await startPeer((_request, response) => void response.end("hello"));
  return {
    ...running,
    SLACK_APP_ID: "A0OTHERAPP",
    EXECUTION_TOKEN: "changeme-changeme-changeme-changeme",
    EXECUTION_PORT: new URL(other).port,
    ANSWER_DEADLINE: "5m",
    MAX_QUESTION: "500",
    ALLOWED_USERS: "U0ALICE0001,U0GUEST0001,U0TYPO",
  };
}

/** An environment with the two tokens of Socket Mode, as the quickstart has it. Slack runs, on loopback. */
export async function socketModeEnvironment(): Promise<Record<string, string>> {
  const slack = await startDevSlack({ scopes: bot });
  onTestFinished(() => slack.close());
  return { SLACK_BOT_TOKEN: slack.botToken, SLACK_APP_TOKEN: slack.appToken, SLACK_API_URL: slack.apiUrl };
}

/** What `pnpm run doctor` prints for an environment, and its exit code. */
export async function doctorText(env: Record<string, string>): Promise<{ text: string; code: number }> {
  let text = "";
  const write = (more: string): void => void (text += more);
  const output = { write, complain: write, isTerminal: false, colors: false };
  const code = await runDoctor({ args: [], help: "", plan: () => doctorPlan(env), output });
  return { text, code };
}
