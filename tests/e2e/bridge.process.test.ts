// suite: rest
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { json } from "node:stream/consumers";
import { type DevAgents, type Fault, faults, type ReceivedRequest, startDevAgents } from "@crosszone/dev-agents";
import { newSqliteDatabase } from "@crosszone/testkit/postgres";
import { expect, onTestFinished, test } from "vitest";
import { type ExecutionProcess, startExecutionProcess, startOnDatabase } from "@crosszone/testkit/process";
import type { AgentErrorKind, AgentSettings, ErrorKind } from "@crosszone/contracts";
import { rowsAfter } from "../harness/browser.ts";
import { startPeer } from "../harness/consult-doctor.ts";
import { postAs, rpcOf } from "../harness/runs-api.ts";
import { writeAgentsFile } from "../harness/temp-file.ts";

/** How a task ends: on the bus, at the caller, and after how many calls. */
interface Outcome {
  readonly onBus: "SUCCESS" | AgentErrorKind;
  readonly atCaller: "success" | ErrorKind;
  readonly calls: number;
}

const success = { onBus: "SUCCESS", atCaller: "success" } as const;
const outcomes: Readonly<Record<Fault, Outcome>> = {
  ok: { ...success, calls: 1 },
  slow: { ...success, calls: 1 },
  working: { ...success, calls: 1 },
  flaky: { ...success, calls: 3 },
  rate_limited: { ...success, calls: 2 },
  rpc_error: { onBus: "rpc_error", atCaller: "agent_failed", calls: 1 },
  bad_request: { onBus: "http_error", atCaller: "agent_failed", calls: 1 },
  server_error: { onBus: "http_unavailable", atCaller: "agent_unavailable", calls: 4 },
  hang: { onBus: "call_timeout", atCaller: "timeout", calls: 4 },
  malformed: { onBus: "not_json", atCaller: "agent_invalid_response", calls: 1 },
  oversized: { onBus: "response_too_large", atCaller: "agent_invalid_response", calls: 1 },
  wrong_id: { onBus: "invalid_envelope", atCaller: "agent_invalid_response", calls: 1 },
  redirect: { onBus: "redirect_refused", atCaller: "agent_unavailable", calls: 1 },
};

/** The older protocol reports a failure without a code, and lets agents choose the id. */
const ofSimpleA2A: Partial<Record<Fault, Outcome>> = {
  rpc_error: { ...outcomes.rpc_error, onBus: "task_failed" },
  wrong_id: outcomes.ok,
};

/** An agent with one fault. */
interface FaultAgent {
  readonly settings: AgentSettings;
  readonly fault: Fault;
  readonly expected: Outcome;
  /** Returns the requests to the agent, without polls. */
  readonly asked: () => readonly ReceivedRequest[];
}

/** Returns an agent for each protocol and fault, on real servers. */
function faultAgents(agents: DevAgents): readonly FaultAgent[] {
  const speakers: Record<"jsonrpc-2.0" | "simple-a2a", string> = {
    "jsonrpc-2.0": "proofreader",
    "simple-a2a": "fingerprint",
  };
  return Object.entries(speakers).flatMap(([protocol, sample]) =>
    (Object.keys(faults) as Fault[]).map((fault) => ({
      settings: {
        name: `${protocol} ${fault}`,
        url: `${agents.url}/${sample}?fault=${fault}`,
        protocol,
        // Only the hanging agent has a short timeout: the machine may be busy.
        timeout_ms: fault === "hang" ? 1_000 : 60_000,
        retry: { max_retries: 3, base_ms: 100, max_ms: 1_000 },
      },
      fault,
      expected: (protocol === "simple-a2a" ? ofSimpleA2A[fault] : undefined) ?? outcomes[fault],
      asked: () => agents.control(sample).asked.filter((one) => one.fault === fault && !isTaskPoll(one)),
    })),
  );
}

const isTaskPoll = ({ body }: ReceivedRequest): boolean => (body as { method?: string }).method === "tasks/get";

/** Asks all agents at once and checks how each task ends. Returns the task ids by the agents' names. */
async function expectEachOutcome(
  rpc: ExecutionProcess,
  agents: readonly FaultAgent[],
): Promise<ReadonlyMap<string, string>> {
  const tasks = new Map(
    await Promise.all(
      agents.map(async ({ settings: { name } }) => [name, await rpc.accept("it is is", { agent: name })] as const),
    ),
  );
  const endOf = (task: string): Promise<unknown> =>
    rpc.result(task).catch(({ data }: { data: { kind: string } }) => ({ status: data.kind, agent: data }));
  await Promise.all(
    agents.map(async ({ settings: { name }, expected: { atCaller, calls }, asked }) => {
      const task = tasks.get(name) ?? "";
      const end = await endOf(task);
      expect([name, end]).toEqual([name, expect.objectContaining({ status: atCaller })]);
      expect(await endOf(task)).toEqual(end);
      const requests = asked();
      const keys = requests.map(({ headers }) => headers["idempotency-key"]);
      expect([name, keys]).toEqual([name, Array.from({ length: calls }, () => `${task}/${task}`)]);
      expect([name, new Set(requests.map(({ body }) => JSON.stringify(body))).size]).toEqual([name, 1]);
    }),
  );
  return tasks;
}

// One process with all roles on SQLite, the default. `tests/full/bridge-executor.test.ts` tests Kafka and PostgreSQL.
/** Returns the bridge's calls by state. */
function callStates(database: string): Record<string, number> {
  // The zone's file is in the folder of the database.
  const path = resolve(database.slice("sqlite:".length), "../execution.sqlite");
  const file = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = file
      .prepare(
        "select coalesce(outcome, 'open') as state, count(*) as number from job where kind = 'agent_call' group by 1",
      )
      .all();
    return Object.fromEntries(rows.map(({ state, number }) => [String(state), Number(number)]));
  } finally {
    file.close();
  }
}

test("R8.6, N4, B10, B14: whatever an agent does wrong, its caller gets one correct result, and only one loop retries", async () => {
  const dev = await startDevAgents({ slowMs: 500, taskMs: 500 });
  onTestFinished(() => dev.close());
  const agents = faultAgents(dev);
  const database = await newSqliteDatabase();
  const EXECUTION_FILE = writeAgentsFile(agents.map(({ settings }) => settings));
  const zone = await startOnDatabase(database, { EXECUTION_FILE, AGENT_ORIGINS: dev.url });
  await expectEachOutcome(zone, agents);
  expect(callStates(database)).toEqual({ succeeded: 11, failed: 15 });
});

const page = readFileSync(resolve(import.meta.dirname, "../../docs/reference/a2a-wire.md"), "utf8");

/** Headers of HTTP itself. */
const ofHttp = new Set([
  "accept-encoding",
  "connection",
  "content-length",
  "content-type",
  "host",
  "transfer-encoding",
]);

interface Sent {
  readonly method: string;
  readonly headers: IncomingHttpHeaders;
}

const task = { id: "task-9", contextId: "ctx-1" };

const cardAt = (host = ""): object => ({
  name: "Breaking",
  description: "Breaks its stream.",
  version: "1.0.0",
  capabilities: { streaming: true, extensions: [{ uri: "https://kagent.dev/extensions/hitl/v1" }] },
  skills: [],
  supportedInterfaces: [{ url: `http://${host}/`, protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  defaultInputModes: ["text/plain"],
  defaultOutputModes: ["text/plain"],
});

/** Starts an agent of A2A 1.0 whose stream breaks and whose task is completed when polled. Returns its URL and its requests. */
async function startBreakingAgent(): Promise<{ readonly url: string; readonly sent: readonly Sent[] }> {
  const sent: Sent[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { headers } = request;
    if (request.method === "GET") {
      response.end(JSON.stringify(cardAt(headers.host)));
      return;
    }
    const { id, method } = (await json(request)) as { readonly id: string; readonly method: string };
    sent.push({ method, headers });
    const isPoll = method === "GetTask";
    const working = { task: { ...task, status: { state: "TASK_STATE_WORKING" } } };
    const artifacts = [{ artifactId: "a", parts: [{ text: "Hi." }] }];
    const result = isPoll ? { ...task, artifacts, status: { state: "TASK_STATE_COMPLETED" } } : working;
    const reply = JSON.stringify({ jsonrpc: "2.0", id, result });
    response.setHeader("content-type", isPoll ? "application/json" : "text/event-stream");
    response.end(isPoll ? reply : `data: ${reply}\n\n`);
  };
  return { url: await startPeer(answer), sent };
}

test("R9.1: the wire page lists every header that agents get, and the methods in the order of their calls", async () => {
  const { url, sent } = await startBreakingAgent();
  const auth = { type: "bearer", token: "env:AGENT_SECRET_BREAKING" } as const;
  const EXECUTION_FILE = writeAgentsFile([{ name: "breaking", url, auth }]);
  const zone = await startExecutionProcess({
    EXECUTION_FILE,
    AGENT_ORIGINS: "http://127.0.0.1:*",
    AGENT_SECRET_BREAKING: "secret-of-the-agent",
  });
  const params = { channel: "C1", bot_token: "none", agent: "breaking", text: "Hello" };
  const traceparent = `00-${"a".repeat(32)}-${"b".repeat(16)}-01`;
  await postAs("none", { traceparent })(`${zone.url}/rpc`, rpcOf("execute_task", params));
  await expect.poll(() => sent.length).toBe(3);
  expect(sent.map(({ method }) => method)).toEqual(["SendStreamingMessage", "SubscribeToTask", "GetTask"]);
  const names = new Set(sent.flatMap(({ headers }) => Object.keys(headers)).filter((name) => !ofHttp.has(name)));
  const shown = rowsAfter(page, "headers").map(([name = ""]) => name.replaceAll("`", ""));
  expect([...names].toSorted()).toEqual(shown);
  expect(sent.map(({ headers }) => "idempotency-key" in headers)).toEqual([true, false, false]);
  expect(sent.map(({ headers }) => headers["a2a-version"])).toEqual(["1.0", "1.0", "1.0"]);
});
