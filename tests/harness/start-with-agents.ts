import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { type DevAgentsOptions, startDevAgents } from "@crosszone/dev-agents";
import { startDevSlack } from "@crosszone/dev-slack";
import { converse, slackEnv } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import { tune } from "@crosszone/testkit/tune";
import { onTestFinished } from "vitest";
import { runProgram } from "./run-program.ts";
import { adminToken, runsApi } from "./runs-api.ts";
import { type LogLine, startProcess } from "./start-process.ts";
import { startVerification } from "./start-verification.ts";
import { writeAgentsFile } from "./temp-file.ts";

interface WithAgentsOptions extends Pick<DevAgentsOptions, "slowMs" | "taskMs"> {
  /** Timeout of an agent call, milliseconds. */
  readonly timeoutMs?: number;
  /** For the execution zone. */
  readonly env?: Readonly<Record<string, string>>;
  readonly verificationEnv?: Readonly<Record<string, string>>;
  /** Lets the execution zone fetch the files of a message. */
  readonly files?: true;
  /** Arguments of Node for the execution zone. Default: as in production. */
  readonly args?: readonly string[];
}

/** Starts both zones, a local Slack and the sample agents, as `pnpm dev` does. Execution is a process. Ends with the test. */
export async function startWithAgents({
  env,
  verificationEnv,
  timeoutMs = 30_000,
  files,
  args = ["--conditions=@crosszone/source", "src/main.ts"],
  ...times
}: WithAgentsOptions = {}) {
  const log: LogLine[] = [];
  const agents = await startDevAgents({ slowMs: 500, ...times });
  onTestFinished(() => agents.close());
  const file = writeAgentsFile(agents.file.replaceAll(/^( +)protocol:/gm, `$1timeout_ms: ${timeoutMs}\n$&`));
  const port = files ? await freePort() : 0;
  const token = `link-${randomUUID()}${randomUUID()}`;
  const execution = await startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/execution"),
    args,
    env: {
      EXECUTION_PORT: "0",
      EXECUTION_TOKEN: token,
      AGENTS_FILE: file,
      AGENT_ORIGINS: agents.url,
      LOG_LEVEL: "debug",
      ...(files && { VERIFICATION_URL: `http://127.0.0.1:${port}` }),
      ...env,
    },
    onLine: (line) => void log.push(line),
  });
  const { url } = execution;
  const slack = await startDevSlack({ upstream: url });
  const verification = await startVerification({
    env: {
      ...slackEnv(slack),
      EXECUTION_URL: `${slack.tapUrl}/rpc`,
      EXECUTION_TOKEN: token,
      ...tune({ POLL_WAIT_MS: 500 }, verificationEnv),
    },
    log,
    port,
  });
  slack.setEventsUrl(`${verification.url}/slack/events`);
  onTestFinished(async () => {
    await verification.stop();
    await slack.close();
  });
  const conversation = converse(slack.control);
  /** Asks a sample agent in a direct message and resolves with the text of the final answer. */
  const ask = async (agent: string, text: string): Promise<string> =>
    (await conversation.answerTo(conversation.write({ text: `ask ${agent}: ${text}` }), 30_000)).text;
  return { ...conversation, agents, slack, log, url, execution, token, verificationUrl: verification.url, ask };
}

export type WithWorkflows = Awaited<ReturnType<typeof startWithWorkflows>>;

export const exampleWorkflows = resolve(import.meta.dirname, "../../examples/workflows");

/** Starts both zones, a local Slack, the sample agents and the example workflows, as `pnpm dev` does. Ends with the test. */
export async function startWithWorkflows({ env, ...options }: WithAgentsOptions = {}) {
  const zones = await startWithAgents({
    taskMs: 200,
    ...options,
    env: { ADMIN_TOKENS: adminToken, WORKFLOWS_DIR: exampleWorkflows, ...env },
  });
  return {
    ...zones,
    api: runsApi(zones.url),
    /** Runs the `crosszone` command against the zone. */
    cli: (...words: string[]) =>
      runProgram(
        "packages/cli/src/main.ts",
        { CROSSZONE_URL: zones.url, CROSSZONE_TOKEN: adminToken, NO_COLOR: "1" },
        ...words,
      ),
    /** Runs a workflow in a direct message and resolves with the final answer. */
    runInSlack: (name: string, text: string) => zones.answerTo(zones.write({ text: `run ${name}: ${text}` }), 60_000),
  };
}

/** Starts both zones as processes, with verification's read-only API. Ends with the test. */
export async function startWithView() {
  const EXECUTION_TOKEN = `link-${randomUUID()}`;
  const zones = await startWithAgents({
    env: { EXECUTION_TOKEN, ADMIN_TOKENS: adminToken },
    verificationEnv: { EXECUTION_TOKEN },
  });
  const viewPort = await freePort();
  const { url } = await startProcess({
    cwd: resolve(import.meta.dirname, "../../apps/verification"),
    args: ["--conditions=@crosszone/source", "src/main.ts"],
    env: {
      ...slackEnv(zones.slack),
      EXECUTION_TOKEN,
      EXECUTION_URL: `${zones.slack.tapUrl}/rpc`,
      VERIFICATION_PORT: "0",
      VERIFICATION_VIEW_PORT: String(viewPort),
    },
  });
  zones.slack.setEventsUrl(`${url}/slack/events`);
  const view = `http://127.0.0.1:${viewPort}`;
  const execution = { CROSSZONE_URL: zones.url, CROSSZONE_TOKEN: adminToken, NO_COLOR: "1" };
  const both = { ...execution, CROSSZONE_VERIFICATION_URL: view };
  /** Runs `crosszone tasks show`. */
  const show = (reference: string, env: Readonly<Record<string, string>> = both, ...more: string[]) =>
    runProgram("packages/cli/src/main.ts", env, "tasks", "show", reference, ...more);
  return {
    ...zones,
    /** URL of verification's read-only API. */
    view,
    /** The variables of `crosszone`. */
    env: { both, execution },
    show,
  };
}
