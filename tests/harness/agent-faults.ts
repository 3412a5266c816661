import type { DevAgents, Fault } from "@crosszone/dev-agents";
import { expect } from "vitest";

const works = "twice in a row";

/** What a person reads when an agent does so, and how often the agent is asked. A fault that may pass is followed by one that does not. */
const told: Partial<Record<Fault, readonly [sentence: string, calls?: number]>> = {
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

/** Lets the proofreader do what it may do wrong, and asks it each time. */
export async function expectFaultsTold({
  agents,
  ask,
}: {
  readonly agents: DevAgents;
  readonly ask: (agent: string, text: string) => Promise<string>;
}): Promise<void> {
  const agent = agents.control("proofreader");
  for (const [fault, [sentence, calls = 1]] of Object.entries(told)) {
    agent.reset();
    agent.fault = fault as Fault;
    expect([fault, await ask("proofreader", `it is is ${fault}`)]).toEqual([fault, expect.stringContaining(sentence)]);
    const ids = agent.asked.map(({ body }) => (body as { id: string }).id);
    expect([fault, new Set(ids).size, ids.length]).toEqual([fault, 1, calls]);
  }
}
