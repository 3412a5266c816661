import { randomUUID } from "node:crypto";
import { startDevSlack, type DevSlack, type DevSlackOptions } from "@crosszone/dev-slack";
import { converse, slackEnv, type Conversation } from "@crosszone/dev-slack/client";
import { createHttpFiles, noFiles, type Agent, type ExecutionDeps, type GrantFiles } from "@crosszone/execution";
import { createInProcessTransport } from "@crosszone/jsonrpc";
import type { AgentCoreStandIn } from "@crosszone/testkit";
import { tune } from "@crosszone/testkit/tune";
import type { VerificationDeps } from "@crosszone/verification";
import { onTestFinished } from "vitest";
import { onAgentCore, startAws } from "./connect-agentcore.ts";
import { startExecution, type Execution } from "./start-execution.ts";
import type { LogLine } from "./start-process.ts";
import { startVerification, type Verification } from "./start-verification.ts";

export interface CrosszoneOptions {
  agents?: readonly Agent[];
  limits?: Partial<ExecutionDeps["limits"]>;
  env?: Record<string, string>;
  /** Port of the execution zone. Default: a free port. */
  executionPort?: number;
  slack?: DevSlackOptions;
  /** Transport between the zones. Default: HTTPS through the local Slack's tap, as in development. */
  link?: "https" | "in-process" | "agentcore";
  /** Timeout of execution for a file, milliseconds. Default: 5,000, so that tests of a hanging Slack are short. */
  fileTimeoutMs?: number;
  /** Puts a proxy between the zones in both directions. Gets the URL of a zone and returns the proxy's. */
  between?: (url: string) => Promise<string>;
  execution?: (deps: ExecutionDeps) => Partial<ExecutionDeps>;
  verification?: (deps: VerificationDeps) => Partial<VerificationDeps>;
}

export { stateOf } from "@crosszone/dev-slack/client";

export interface Crosszone extends Conversation {
  slack: DevSlack;
  execution: Execution;
  verification: Verification;
  /** The bearer token of the zone link. */
  linkToken: string;
  /** Log lines of both zones. */
  log: LogLine[];
  /** The stand-in between the zones with `link: "agentcore"`. */
  aws?: AgentCoreStandIn;
}

/** Starts both zones and a local Slack on free ports of loopback. Ends with the test. */
export async function startCrosszone(options: CrosszoneOptions = {}): Promise<Crosszone> {
  const log: LogLine[] = [];
  const token = `link-${randomUUID()}`;
  let grantFiles: GrantFiles = noFiles;
  const execution = await startExecution({
    token,
    log,
    agents: options.agents,
    limits: options.limits,
    override: (deps) => ({
      grantFiles: (lease) => grantFiles(lease),
      ...(options.link === "agentcore" && onAgentCore),
      ...options.execution?.(deps),
    }),
    env: options.env,
    port: options.executionPort,
  });
  const slack = await startDevSlack({ retryScheduleMs: [20, 60, 150], upstream: execution.url, ...options.slack });
  const aws = options.link === "agentcore" ? await startAws(execution.url) : undefined;
  const env = {
    ...slackEnv(slack),
    EXECUTION_URL: `${options.between ? await options.between(execution.url) : slack.tapUrl}/rpc`,
    EXECUTION_TOKEN: token,
    ...aws?.env,
    // Most tests cover the placeholder too.
    ...tune({ SHOW_WORK_AFTER_MS: 0, POLL_WAIT_MS: 500, EXECUTION_RETRY_BUDGET_MS: 3_000 }, options.env),
  };
  const transport =
    options.link === "in-process"
      ? createInProcessTransport((message, send) =>
          execution.app.dispatch(message, { ...send, caller: "verification" }),
        )
      : undefined;
  const verification = await startVerification({ env, log, transport, override: options.verification });
  const filesUrl = (await options.between?.(verification.url)) ?? verification.url;
  const { fileTimeoutMs: timeoutMs = 5_000 } = options;
  grantFiles = createHttpFiles({ url: filesUrl, maxBytes: 10_000_000, timeoutMs });
  slack.setEventsUrl(`${verification.url}/slack/events`);
  onTestFinished(async () => {
    await verification.stop();
    await execution.stop();
    await slack.close();
    await aws?.standIn.stop();
  });

  return { slack, execution, verification, linkToken: token, log, aws: aws?.standIn, ...converse(slack.control) };
}

/** Starts both zones and a local Slack that sends its events over a socket. Ends with the test. */
export async function startOverSocket(): Promise<DevSlack> {
  const token = "link-token-of-thirty-two-characters";
  const execution = await startExecution({ token, log: [] });
  const slack = await startDevSlack();
  const verification = await startVerification({
    log: [],
    env: {
      SLACK_BOT_TOKEN: slack.botToken,
      SLACK_APP_TOKEN: slack.appToken,
      SLACK_API_URL: slack.apiUrl,
      EXECUTION_URL: `${execution.url}/rpc`,
      EXECUTION_TOKEN: token,
    },
  });
  onTestFinished(async () => {
    await verification.stop();
    await slack.close();
    await execution.stop();
  });
  return slack;
}
