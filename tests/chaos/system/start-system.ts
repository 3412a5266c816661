import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { InputRequest } from "@crosszone/contracts";
import { type DevSlack, startDevSlack } from "@crosszone/dev-slack";
import { tune } from "@crosszone/testkit/tune";
import type { Journal } from "../journal.ts";
import type { AgentRequests } from "../judge/judge-stores.ts";
import { serveAgents, writeAgentFiles } from "./agents.ts";
import { type ChaosEngine, type EngineName, startEngine } from "./engine.ts";
import { readInputs } from "./read-inputs.ts";
import { createFleet, type Fleet } from "./fleet.ts";
import { type Gateway, openGateway } from "./gateway.ts";

/** Everything that runs. Slack, the agents and the wires are in this process and survive; the zones and the database are processes. */
export interface ChaosSystem {
  readonly slack: DevSlack;
  readonly engine: ChaosEngine;
  /** What the agents were asked. */
  readonly requests: AgentRequests;
  readonly verification: Fleet;
  readonly execution: Fleet;
  /** `front` carries Slack's events and files to verification, `link` carries verification's calls to execution. */
  readonly wires: { readonly front: Gateway; readonly link: Gateway };
  /** Time that the zones took to start together, milliseconds. */
  readonly startedInMs: number;
  /** Returns all input requests of execution. */
  readonly inputRequests: () => Promise<readonly InputRequest[]>;
  readonly stop: () => Promise<void>;
}

/** Slack retries four times within six minutes. Here it retries for six minutes too, but more often, because outages are shorter. */
const retryScheduleMs = [250, 500, 1_000, ...Array.from({ length: 230 }, () => 1_500)];

/**
 * Slack lets an app change 50 messages and start 20 streams a minute. A run has 300 answers in two minutes, so these limits are lifted. The limit
 * of each channel stays.
 */
const rateLimits = {
  tier_2: { burst: 100_000, per_minute: 6_000_000 },
  tier_3: { burst: 100_000, per_minute: 6_000_000 },
  tier_4: { burst: 100_000, per_minute: 6_000_000 },
};

/** `leftMs`: see `askWorkflows`. */
export async function startSystem(engineName: EngineName, journal: Journal, leftMs = 60_000): Promise<ChaosSystem> {
  const slack = await startDevSlack({ retryScheduleMs, rateLimits });
  const engine = await startEngine(engineName, journal);
  const front = await openGateway(() => verification.port());
  const link = await openGateway(() => execution.port());
  const agents = await serveAgents();
  const folder = mkdtempSync(join(tmpdir(), "crosszone-chaos-agents-"));
  const url = (wire: Gateway): string => `http://127.0.0.1:${wire.port}`;
  const both = { ...engine.env, EXECUTION_TOKEN: randomBytes(32).toString("hex") };
  const execution = createFleet("execution", {
    journal,
    env: {
      ...executionSettings,
      ...both,
      ...writeAgentFiles(folder, agents.url, leftMs),
      VERIFICATION_URL: url(front),
      // A task that reads files continues in another process only if its sealed handle can be stored.
      DATA_KEYS: `chaos:${randomBytes(32).toString("base64")}`,
    },
  });
  const verification = createFleet("verification", {
    journal,
    env: { ...verificationSettings, ...both, ...slackVariables(slack), EXECUTION_URL: `${url(link)}/rpc` },
  });
  const beganAt = performance.now();
  await Promise.all([execution.start(), verification.start()]);
  const startedInMs = performance.now() - beganAt;
  slack.setEventsUrl(`${url(front)}/slack/events`);
  return {
    slack,
    engine,
    requests: agents.requests,
    verification,
    execution,
    wires: { front, link },
    startedInMs,
    inputRequests: () => readInputs(`http://127.0.0.1:${execution.port()}/rpc`, both.EXECUTION_TOKEN),
    stop: async () => {
      await slack.close();
      await Promise.all([verification.stop(), execution.stop()]);
      await agents.close();
      rmSync(folder, { recursive: true, force: true });
      front.close();
      link.close();
      await engine.stop();
    },
  };
}

function slackVariables(slack: DevSlack): Record<string, string> {
  return {
    SLACK_API_URL: slack.apiUrl,
    SLACK_BOT_TOKEN: slack.botToken,
    SLACK_SIGNING_SECRET: slack.signingSecret,
    SLACK_APP_ID: slack.workspace.app.app_id,
  };
}

/** Outages in a run last seconds, so leases and timeouts are short. */
const common = { LOG_LEVEL: "info" } as const;

/** Attempts of tasks, agent calls and questions. Kills come closer together than in any real operation. */
export const attempts = 100;
const begun = { TASK_ATTEMPTS: attempts, AGENT_CALL_ATTEMPTS: attempts };

export const verificationSettings: Readonly<Record<string, string>> = {
  ...common,
  ...tune({
    STOP_GRACE_MS: 1_500,
    // A zone that is killed every few seconds has no time for more.
    WARM_UP_QUESTIONS: 10,
    MAX_DATABASE_CONNECTIONS: 6,
    INBOX_LEASE_MS: 3_000,
    INBOX_ATTEMPTS: attempts,
    DELIVERY_BUDGET_MS: 120_000,
    SLACK_LOOKUP_TIMEOUT_MS: 15_000,
    MAX_FILE_READS: 1_000,
    EXECUTION_TIMEOUT_MS: 4_000,
    EXECUTION_RETRY_BUDGET_MS: 60_000,
    POLL_WAIT_MS: 1_500,
    MAX_WAITING_PER_THREAD: 1_000,
    THREAD_MESSAGES_PER_HOUR: 100_000,
  }),
  VERIFICATION_PORT: "0",
  ANSWER_DEADLINE: "300s",
  MESSAGES_PER_MINUTE: "100000",
};

export const executionSettings: Readonly<Record<string, string>> = {
  ...common,
  EXECUTION_PORT: "0",
  ...tune({
    STOP_GRACE_MS: 1_500,
    MAX_DATABASE_CONNECTIONS: 6,
    SYNC_WINDOW_MS: 1_000,
    TASK_LEASE_MS: 3_000,
    ...begun,
  }),
  MAX_RUNNING_TASKS: "1000",
  MAX_REQUESTS_PER_MINUTE: "0",
};
