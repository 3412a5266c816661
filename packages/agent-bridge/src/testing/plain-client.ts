import { AgentFailure } from "../agent-failure.ts";
import type { AgentClient } from "../client/agent-client.ts";

/** For agents whose card is not fetched, so that nothing is streamed. */
export const withoutCard: Pick<AgentClient, "stream" | "fetchCard"> = {
  fetchCard: async () => ({ status: 404, headers: {}, body: new Uint8Array() }),
  stream: () => Promise.reject(new Error("an agent without a card does not stream")),
};

/** Answers whatever it is given, without a network: ten thousand connections would test the machine. */
export const answering = (answer: () => Uint8Array | string): Pick<AgentClient, "post" | "stream" | "fetchCard"> => ({
  ...withoutCard,
  post: async () => ({ status: 200, headers: {}, body: Buffer.from(answer() as string) }),
});

/** A minimal HTTP client without pool, size limit or address rules, for tests of the layers above. */
export function plainClient(): Pick<AgentClient, "post" | "stream" | "fetchCard"> {
  return {
    ...withoutCard,
    post: async ({ agent, body, headers, timeoutMs, signal }) => {
      const timeout = AbortSignal.timeout(Math.min(timeoutMs, 2_000_000_000));
      try {
        const response = await fetch(agent.url, {
          method: "POST",
          body,
          headers: { "content-type": "application/json", accept: "application/json", ...headers },
          signal: AbortSignal.any([signal, timeout]),
        });
        const bytes = new Uint8Array(await response.arrayBuffer());
        return { status: response.status, headers: Object.fromEntries(response.headers), body: bytes };
      } catch (cause) {
        signal.throwIfAborted();
        const kind = timeout.aborted ? "call_timeout" : "unreachable";
        throw new AgentFailure(kind, `The agent gave no answer: ${kind}.`, { cause });
      }
    },
  };
}
