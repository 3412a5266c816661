import { AgentFailure, type AgentClient, type AgentReply, type AgentRequest } from "@crosszone/agent-bridge";
import type { AgentRequests } from "../../chaos/judge/judge-stores.ts";
import { createRandom } from "../../harness/random.ts";
import { bracketAnswer, type AgentBody } from "../../harness/bracket-workflows.ts";
import { agenda } from "../time/virtual-time.ts";
import { calmAgentMs } from "../plan/plan-seed.ts";
import { currentLife, never, runIn } from "../time/life.ts";

/** Simulates the agents `newer` and `older` behind a failing network. They put their input in brackets of their protocol. */
export function simulateAgents(
  seed: number,
  { isOver, requests }: { readonly isOver: () => boolean; readonly requests: AgentRequests },
): AgentClient {
  const random = createRandom(seed, 30);

  async function send({ body = "", headers: asked = {}, signal, timeoutMs, agent }: AgentRequest): Promise<AgentReply> {
    const life = currentLife();
    if (life?.isAlive !== true) return never();
    requests.note(asked["idempotency-key"], body);
    const dice = isOver() ? 100 : random.int(100);
    const usualMs = 5 + random.int(200) + (dice >= 85 && dice < 95 ? random.int(3_000) : 0);
    const tookMs = isOver() ? calmAgentMs : usualMs;
    await new Promise<void>((resolve, reject) => {
      const limit = agenda.plan(timeoutMs, () =>
        reject(new AgentFailure("call_timeout", `${agent.name} did not answer.`)),
      );
      signal.addEventListener("abort", () => reject(signal.reason as Error), { once: true });
      agenda.plan(tookMs, () => {
        agenda.cancel(limit);
        resolve();
      });
    });
    if (dice < 4) throw new AgentFailure("unreachable", `${agent.name} cannot be reached.`);
    if (dice < 8) return { status: 503, headers: { "content-type": "text/plain" }, body: Buffer.from("busy") };
    const headers = { "content-type": "application/json" };
    return {
      status: 200,
      headers,
      body: Buffer.from(JSON.stringify(runIn(undefined, () => bracketAnswer(JSON.parse(body) as AgentBody)))),
    };
  }

  const missing = async (): Promise<AgentReply> => ({ status: 404, headers: {}, body: new Uint8Array() });
  return {
    send,
    fetchCard: missing,
    fetchAs: () => () => Promise.reject(new TypeError("fetch failed")),
    close: async () => undefined,
  };
}
