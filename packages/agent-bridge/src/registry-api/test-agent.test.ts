import { isAgentTest, type AgentTest } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { createAddressRules } from "../addresses/address-rules.ts";
import { doneWith, taskIn } from "../testing/agent-answers.ts";
import { clientOf } from "../testing/client-of.ts";
import { errorOf, result, startCardedAgent, type CardedOptions } from "../testing/start-carded-agent.ts";
import { startRegistry } from "../testing/start-registry.ts";

const card = { name: "A", protocolVersion: "0.3.0", url: "/", capabilities: { streaming: true } };

/** Starts an agent, and tests it through the API, by URL unless the caller says otherwise. */
async function tested(answers: CardedOptions["answers"], asked?: object) {
  const agent = await startCardedAgent({ card, answers });
  const { ask } = await startRegistry({ client: clientOf({ origins: [agent.url] }) });
  await ask("POST /agents", { name: "a", url: agent.url, enabled: false });
  const { status, body } = await ask("POST /agent-tests", { text: "Hi", ...(asked ?? { url: agent.url }) });
  return { agent, status, body: body as unknown as AgentTest };
}

test("a test of a URL shows the card, the exchange and the answer, and stores nothing", async () => {
  const { agent, status, body } = await tested({ "message/stream": result(doneWith("Hello yourself")) });
  expect(status).toBe(200);
  expect(isAgentTest(body)).toBe(true);
  expect(body).toMatchObject({
    status: "answered",
    health: { status: "healthy", card: { name: "A" } },
    output: { text: "Hello yourself" },
  });
  expect(body.exchanges).toMatchObject([
    {
      operation: "send",
      protocol: "jsonrpc-2.0",
      status: 200,
      request: { method: "message/stream", params: { message: { parts: [{ text: "Hi" }] } } },
      response: { result: { kind: "task" } },
    },
  ]);
  expect(agent.methods()).toEqual(["message/stream"]);
});

test("a disabled agent can be tested, and its stream is shown event by event", async () => {
  const events = [
    result(taskIn("working")),
    result({ kind: "status-update", taskId: "remote-1", status: { state: "failed" }, final: true }),
  ];
  const { body } = await tested({ "message/stream": { events } }, { agent: "a" });
  expect(body).toMatchObject({ status: "failed", failure: { kind: "task_failed" }, health: { name: "a" } });
  expect(body.exchanges.map(({ request, status }) => [request !== undefined, status])).toEqual([
    [true, 200],
    [false, 200],
  ]);
});

test("a failure is shown at its exchange and is not retried", async () => {
  const { agent, body } = await tested({ "message/stream": 503 });
  expect(body).toMatchObject({ status: "failed", failure: { kind: "http_unavailable" } });
  expect(body.exchanges).toMatchObject([{ status: 503 }]);
  expect(agent.methods()).toEqual(["message/stream"]);
  const broken = await tested({ "message/stream": "no JSON" });
  expect(broken.body.exchanges).toMatchObject([{ response: "no JSON", problem: expect.stringContaining("not JSON") }]);
  const refusing = await tested({ "message/stream": errorOf(-32_601), "message/send": result(doneWith("x")) });
  expect(refusing.body.exchanges).toHaveLength(2);
});

test.each([
  ["both an agent and a URL", { agent: "a", url: "http://127.0.0.1:1" }, 422],
  ["neither", {}, 422],
  ["an address that is not allowed", { url: "http://169.254.169.254/" }, 422],
  ["an unknown protocol", { url: "http://127.0.0.1:1", protocol: "grpc" }, 422],
  ["an unknown agent", { agent: "b" }, 404],
])("a test of %s is refused", async (_, asked, expected) => {
  const { status, agent } = await tested({}, asked);
  expect(status).toBe(expected);
  expect(agent.asked).toEqual([]);
});

test("a test of a URL that can't be parsed was an internal error: it is rejected with a sentence", async () => {
  const checks = {
    protocol: () => undefined,
    url: createAddressRules({ origins: [] }).check,
    secrets: () => undefined,
  };
  const { ask } = await startRegistry({ checks });
  const { status, body } = await ask("POST /agent-tests", { text: "Hi", url: "http://[" });
  expect([status, JSON.stringify(body)]).toEqual([422, expect.stringContaining("Write it as https://host/path")]);
});
