import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync, mkdirSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as wait } from "node:timers/promises";
import type { InputRequest, ListInputRequestsResult, AgentSettings } from "@crosszone/contracts";
import { startDevSlack } from "@crosszone/dev-slack";
import { slackEnv } from "@crosszone/dev-slack/client";
import { close, createHttpServer, listen } from "@crosszone/service-kit";
import { tune } from "@crosszone/testkit/tune";
import { bracketAnswer, bracketWorkflows, type AgentBody } from "../../harness/bracket-workflows.ts";
import { noteRequests } from "../../resist/judge/stores.ts";
import { askWorkflows } from "../../resist/plan/questions.ts";
import type { Journal } from "../journal.ts";
import { type EngineName, startEngine, type Gateway, openGateway } from "./engine.ts";
import { Fleet } from "./fleet.ts";

export type ChaosSystem = Awaited<ReturnType<typeof startSystem>>;

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

/**
 * Starts everything. Slack, the agents and the wires are in this process and survive; the zones and the database are processes. `leftMs`: see
 * `askWorkflows`.
 */
export async function startSystem(engineName: EngineName, journal: Journal, leftMs = 60_000) {
  const slack = await startDevSlack({ retryScheduleMs, rateLimits });
  const engine = await startEngine(engineName, journal);
  const front = await openGateway((): number | undefined => verification.port());
  const link = await openGateway((): number | undefined => execution.port());
  const agents = await serveAgents();
  const folder = mkdtempSync(join(tmpdir(), "crosszone-chaos-agents-"));
  const url = (wire: Gateway): string => `http://127.0.0.1:${wire.port}`;
  const both = { ...engine.env, EXECUTION_TOKEN: randomBytes(32).toString("hex") };
  const execution = new Fleet("execution", journal, {
    ...executionSettings,
    ...both,
    ...writeAgentFiles(folder, agents.url, leftMs),
    VERIFICATION_URL: url(front),
    // A task that reads files continues in another process only if its sealed handle can be stored.
    DATA_KEYS: `chaos:${randomBytes(32).toString("base64")}`,
  });
  const verification = new Fleet("verification", journal, {
    ...verificationSettings,
    ...both,
    ...slackEnv(slack),
    EXECUTION_URL: `${url(link)}/rpc`,
  });
  const beganAt = performance.now();
  await Promise.all([execution.add(), verification.add()]);
  const startedInMs = performance.now() - beganAt;
  slack.setEventsUrl(`${url(front)}/slack/events`);
  return {
    slack,
    engine,
    /** What the agents were asked. */
    requests: agents.requests,
    verification,
    execution,
    /** `front` carries Slack's events and files to verification, `link` carries verification's calls to execution. */
    wires: { front, link, database: engine.server?.wire },
    /** Time that the zones took to start together, milliseconds. */
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

const pageSize = 200;

/** Returns all input requests of an execution process, as verification sees them. */
async function readInputs(url: string, token: string): Promise<readonly InputRequest[]> {
  const headers = { "content-type": "application/json", authorization: `Bearer ${token}` };
  const found: InputRequest[] = [];
  for (let after_seq = 0; ;) {
    const params = { after_seq, limit: pageSize };
    const body = JSON.stringify({ jsonrpc: "2.0", id: `inputs-${after_seq}`, method: "list_input_requests", params });
    const answer = (await (await fetch(url, { method: "POST", headers, body })).json()) as {
      readonly result: ListInputRequestsResult;
    };
    found.push(...answer.result.input_requests);
    if (answer.result.input_requests.length < pageSize) return found;
    after_seq = answer.result.last_seq;
  }
}

/** Attempts of tasks, agent calls and questions. Kills come closer together than in any real operation. */
export const attempts = 100;

/** Outages in a run last seconds, so leases and timeouts are short. */
export const verificationSettings: Readonly<Record<string, string>> = {
  LOG_LEVEL: "info",
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
  LOG_LEVEL: "info",
  EXECUTION_PORT: "0",
  ...tune({
    STOP_GRACE_MS: 1_500,
    MAX_DATABASE_CONNECTIONS: 6,
    SYNC_WINDOW_MS: 1_000,
    TASK_LEASE_MS: 3_000,
    TASK_ATTEMPTS: attempts,
    AGENT_CALL_ATTEMPTS: attempts,
  }),
  MAX_RUNNING_TASKS: "1000",
  MAX_REQUESTS_PER_MINUTE: "0",
};

/** Maximum time of an answer, so that kills interrupt calls, milliseconds. */
const longestMs = 1_500;

async function serveAgents() {
  let number = 0;
  const requests = noteRequests();
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    // The agents have no cards.
    if (request.method === "GET") return void response.writeHead(404).end();
    const body = await text(request);
    requests.note(String(request.headers["idempotency-key"]), body);
    await wait(((number += 1) * 397) % longestMs);
    response
      .setHeader("content-type", "application/json")
      .end(JSON.stringify(bracketAnswer(JSON.parse(body) as AgentBody)));
  };
  const server = createHttpServer((request, response) => {
    answer(request, response).catch(() => response.destroy());
  });
  const { url } = await listen(server, { host: "127.0.0.1", port: 0 });
  return { url, requests, close: async () => void (await close(server, { deadlineMs: 100 })) };
}

/** Retries of agent calls in a run: disturbances last only seconds. */
const longTimeouts: Partial<AgentSettings> = {
  timeout_ms: 20_000,
  max_concurrency: 100,
  retry: { max_retries: 10, base_ms: 50, max_ms: 1_000 },
  breaker: { failures: 1_000, open_ms: 1_000 },
};

/** Writes the agents `newer` and `older`, and their workflows, to a folder. Returns execution's variables for them. `leftMs`: see `askWorkflows`. */
export function writeAgentFiles(folder: string, url: string, leftMs: number): Record<string, string> {
  const agents: readonly AgentSettings[] = [
    { name: "newer", url: `${url}/newer`, protocol: "jsonrpc-2.0", ...longTimeouts },
    { name: "older", url: `${url}/older`, protocol: "simple-a2a", ...longTimeouts },
  ];
  const [file, workflows] = [join(folder, "agents.yaml"), join(folder, "workflows")];
  mkdirSync(workflows, { recursive: true });
  // JSON is YAML.
  writeFileSync(file, JSON.stringify({ agents }));
  for (const definition of [...bracketWorkflows.map((one) => one.definition), ...askWorkflows(leftMs)])
    writeFileSync(join(workflows, `${definition.workflow_id}.json`), JSON.stringify(definition));
  return { EXECUTION_FILE: file, WORKFLOWS_DIR: workflows, AGENT_ORIGINS: new URL(url).origin };
}
