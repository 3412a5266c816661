import type { AgentErrorKind, AgentSettings, ErrorKind } from "@crosszone/contracts";
import { faults, type DevAgents, type Fault, type ReceivedRequest } from "@crosszone/dev-agents";
import { expect } from "vitest";
import { askAgent } from "./start-task-process.ts";
import type { TaskProcess } from "./start-task-process.ts";

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
export interface FaultAgent {
  readonly settings: AgentSettings;
  readonly fault: Fault;
  readonly expected: Outcome;
  /** Returns the requests to the agent, without polls. */
  readonly asked: () => readonly ReceivedRequest[];
}

/** Returns an agent for each protocol and fault, on real servers. */
export function faultAgents(agents: DevAgents): readonly FaultAgent[] {
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
      asked: () => agents.control(sample).asked.filter((one) => one.fault === fault && !isPoll(one)),
    })),
  );
}

const isPoll = ({ body }: ReceivedRequest): boolean => (body as { method?: string }).method === "tasks/get";

/** Asks all agents at once and checks how each task ends. Returns the task ids by the agents' names. */
export async function expectEachOutcome(
  rpc: TaskProcess,
  agents: readonly FaultAgent[],
): Promise<ReadonlyMap<string, string>> {
  const tasks = new Map(
    await Promise.all(
      agents.map(async ({ settings: { name } }) => [name, await askAgent(rpc, name, "it is is")] as const),
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

const works = "twice in a row";

/** The sentence that a person reads for each fault, and the number of calls to the agent. Transient faults are followed by a permanent one. */
const sentences: Partial<Record<Fault, readonly [sentence: string, calls?: number]>> = {
  rpc_error: ["could not finish this"],
  bad_request: ["could not finish this"],
  malformed: ["I could not read"],
  slow: [works],
  wrong_id: ["I could not read"],
  oversized: ["I could not read"],
  redirect: ["cannot be reached"],
  flaky: [works, 3],
  server_error: ["cannot be reached", 4],
  rate_limited: [works, 2],
  ok: [works],
};

/** Sends the proofreader a question for each fault, and expects its sentence. */
export async function expectFaultSentences({
  agents,
  ask,
}: {
  readonly agents: DevAgents;
  readonly ask: (agent: string, text: string) => Promise<string>;
}): Promise<void> {
  const agent = agents.control("proofreader");
  for (const [fault, [sentence, calls = 1]] of Object.entries(sentences)) {
    agent.reset();
    agent.fault = fault as Fault;
    expect([fault, await ask("proofreader", `it is is ${fault}`)]).toEqual([fault, expect.stringContaining(sentence)]);
    const ids = agent.asked.map(({ body }) => (body as { id: string }).id);
    expect([fault, new Set(ids).size, ids.length]).toEqual([fault, 1, calls]);
  }
}
