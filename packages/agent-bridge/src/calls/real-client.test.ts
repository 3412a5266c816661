import { expect, onTestFinished, test } from "vitest";
import { createAddressRules } from "../addresses/address-rules.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { createAgentClient } from "../client/create-agent-client.ts";
import { createSecretRules } from "../secrets/secret-rules.ts";
import { doneWith, resultOf } from "../testing/agent-answers.ts";
import { startAgent, type AnswerOfAgent } from "../testing/http-agents.ts";
import { startCall } from "../testing/start-call.ts";

/** The client that the bridge has, allowed to call that agent. */
function clientFor(url: string): AgentClient {
  const secrets = { read: () => Promise.reject(new Error("there are no secrets here")) };
  const client = createAgentClient({
    rules: createAddressRules({ origins: [new URL(url).origin] }),
    secrets,
    secretRules: createSecretRules({ bindings: [] }),
    maxBytes: 100_000,
  });
  onTestFinished(() => client.close());
  return client;
}

test("R5.1, R5.2, R5.3, R5.4, N4: the bridge's own client sends JSON by POST and retries transient failures", async () => {
  const agent = await startAgent((_, index): AnswerOfAgent =>
    index === 0 ? { status: 503, body: "" } : { body: resultOf(doneWith("done")) },
  );
  const { end } = startCall({ agent: { url: agent.url }, deps: { client: clientFor(agent.url) } });
  expect(await end).toMatchObject({ attempts: 2, output: { text: "done" } });
  for (const { method, headers } of agent.asked) {
    expect(method).toBe("POST");
    expect(headers).toMatchObject({ "content-type": "application/json", accept: "application/json" });
    expect(headers).toMatchObject({ "x-correlation-id": "c1", "idempotency-key": "r1/t1" });
  }
});

test("N4: the bridge's own client retries a timeout, but not an oversized answer or a redirect", async () => {
  const answers: [kind: string, attempts: number, answer: AnswerOfAgent][] = [
    ["call_timeout", 3, { hang: true }],
    ["response_too_large", 1, { body: resultOf(doneWith("x".repeat(200_000))) }],
    ["redirect_refused", 1, { status: 307, headers: { location: "http://169.254.169.254/" }, body: "" }],
  ];
  for (const [kind, attempts, answer] of answers) {
    const agent = await startAgent(() => answer);
    const { end } = startCall({ agent: { url: agent.url, timeout_ms: 500 }, deps: { client: clientFor(agent.url) } });
    expect(await end).toMatchObject({ attempts, failure: { kind } });
    expect(agent.asked).toHaveLength(attempts);
  }
});
