import { randomUUID } from "node:crypto";
import { resolve } from "node:path";
import { type DevAgents, type DevAgentsOptions, startDevAgents } from "@crosszone/dev-agents";
import { type DevSlack, type Message, startDevSlack } from "@crosszone/dev-slack";
import { type Conversation, converse, slackEnv } from "@crosszone/dev-slack/client";
import { freePort } from "@crosszone/testkit";
import { onTestFinished } from "vitest";
import { type ProgramEnd, runProgram } from "./run-program.ts";
import { adminToken, runsApi, type RunsApi } from "./runs-api.ts";
import { type LogLine, startProcess } from "./start-process.ts";
import { startVerification } from "./start-verification.ts";
import { writeAgentsFile } from "./write-definitions.ts";

export interface WithWorkflows extends WithAgents {
  readonly api: RunsApi;
  /** Runs the command line against the zone. */
  readonly cli: (...words: string[]) => Promise<ProgramEnd>;
  /** Somebody runs a workflow in a direct message; gives the final answer. */
  readonly runInSlack: (name: string, text: string) => Promise<Message>;
}

export const exampleWorkflows = resolve(import.meta.dirname, "../../examples/workflows");

/** Both zones, a local Slack, the sample agents and the example workflows, as `pnpm dev` joins them. Ends with the test. */
export async function startWithWorkflows({ env, ...options }: WithAgentsOptions = {}): Promise<WithWorkflows> {
  const zones = await startWithAgents({
    taskMs: 200,
    ...options,
    env: { AGENT_ADMIN_TOKENS: adminToken, WORKFLOWS_DIR: exampleWorkflows, ...env },
  });
  return {
    ...zones,
    api: runsApi(zones.url),
    cli: (...words) =>
      runProgram(
        "packages/cli/src/main.ts",
        { CROSSZONE_URL: zones.url, CROSSZONE_TOKEN: adminToken, NO_COLOR: "1" },
        ...words,
      ),
    runInSlack: (name, text) => zones.answerTo(zones.write({ text: `run ${name}: ${text}` }), 60_000),
  };
}

export interface WithAgents extends Conversation {
  readonly agents: DevAgents;
  readonly slack: DevSlack;
  /** What both zones logged. */
  readonly log: readonly LogLine[];
  /** Of the execution zone. */
  readonly url: string;
  /** Of the verification zone. */
  readonly verificationUrl: string;
  /** Asks a sample agent in a direct message; gives the text of the final answer. */
  readonly ask: (agent: string, text: string) => Promise<string>;
}

export interface WithAgentsOptions extends Pick<DevAgentsOptions, "slowMs" | "taskMs"> {
  /** How long one call of an agent may take, milliseconds. */
  readonly timeoutMs?: number;
  /** Of the execution zone. */
  readonly env?: Readonly<Record<string, string>>;
  readonly verificationEnv?: Readonly<Record<string, string>>;
  /** Lets the execution zone fetch the files of a message; it can't when absent. */
  readonly files?: true;
  /** Arguments of Node for the execution zone; as in production when absent. */
  readonly args?: readonly string[];
}

/** Both zones, a local Slack and the sample agents, as `pnpm dev` joins them; the execution zone is a process of its own. Ends with the test. */
export async function startWithAgents({
  env,
  verificationEnv,
  timeoutMs = 30_000,
  files,
  args = ["--conditions=@crosszone/source", "src/main.ts"],
  ...times
}: WithAgentsOptions = {}): Promise<WithAgents> {
  const log: LogLine[] = [];
  const agents = await startDevAgents({ slowMs: 500, ...times });
  onTestFinished(() => agents.close());
  const file = await writeAgentsFile(agents.file.replaceAll(/^( +)protocol:/gm, `$1timeout_ms: ${timeoutMs}\n$&`));
  const port = files ? await freePort() : 0;
  const token = `link-${randomUUID()}${randomUUID()}`;
  const { url } = await startProcess({
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
  const slack = await startDevSlack({ upstream: url });
  const verification = await startVerification({
    env: {
      ...slackEnv(slack),
      EXECUTION_URL: `${slack.tapUrl}/rpc`,
      EXECUTION_TOKEN: token,
      POLL_WAIT: "500ms",
      ...verificationEnv,
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
  const ask = async (agent: string, text: string): Promise<string> =>
    (await conversation.answerTo(conversation.write({ text: `ask ${agent}: ${text}` }), 30_000)).text;
  return { ...conversation, agents, slack, log, url, verificationUrl: verification.url, ask };
}
