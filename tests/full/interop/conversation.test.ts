import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { AgentCard } from "@a2a-js/sdk";
import { ClientFactory, DefaultAgentCardResolver } from "@a2a-js/sdk/client";
import { type A2AAgentCardV1, type AgentHealth, isA2AAgentCardV1, problemsOf } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { pythonOf } from "../../harness/install-once.ts";
import { adminToken } from "../../harness/runs-api.ts";
import { startOpenExecution } from "../../harness/start-task-process.ts";
import { sdks, startSdkAgent } from "./start-sdk-agent.ts";
import { openThread, startSdkZones } from "./start-sdk-zones.ts";

test("I4: five messages of a thread have one contextId at the agent; another thread has another", async () => {
  const agents = await Promise.all(sdks.map(startSdkAgent));
  const { slack } = await startSdkZones(agents);
  const contextsOf = async (agent: (typeof agents)[number]): Promise<number[]> => {
    const [thread, other] = [openThread(slack.control, 60_000), openThread(slack.control, 60_000)];
    await thread.say(`ask ${agent.name}: message at once`);
    for (let count = 1; count < 5; count += 1)
      expect(await thread.say("message at once")).toContain("Hello from the agent.");
    await other.say(`ask ${agent.name}: message at once`);
    const ids = (await agent.journal()).map(({ contextId }) => contextId);
    return [ids.length, new Set(ids.slice(0, 5)).size, new Set(ids).size];
  };
  expect(await Promise.all(agents.map(contextsOf))).toEqual(agents.map(() => [6, 1, 2]));
});

/** A message with the beginning of the answer. Slack shows only some of its states, depending on when updates are accepted. */
const partial = /"text":"[^"]*\bOne [^".]*"/;

test("I2, T1: Slack shows the streams of agents on the official SDKs before they have finished", async () => {
  const agents = await Promise.all(sdks.map(startSdkAgent));
  const { slack } = await startSdkZones(agents);
  const shown = agents.map(async ({ name }) => {
    const thread = openThread(slack.control, 60_000);
    expect(await thread.say(`ask ${name}: streamed slowly`)).toContain("One piece after another.");
    return { name, isPartial: partial.test(thread.everShown()) };
  });
  expect(await Promise.all(shown)).toEqual(agents.map(({ name }) => ({ name, isPartial: true })));
});

const run = promisify(execFile);
const secret = "0123456789abcdef0123456789abcdef";
const binding = "https://crosszone.dev/bindings/zone-link";

const cardOf = async (url: string): Promise<A2AAgentCardV1> =>
  (await (await fetch(`${url}/.well-known/agent-card.json`)).json()) as A2AAgentCardV1;

test("@a2a-js/sdk reads the card of the execution zone and finds no interface that it supports", async () => {
  const { url } = await startOpenExecution({ EXECUTION_TOKEN: secret });
  const served = await cardOf(url);
  expect(problemsOf(isA2AAgentCardV1, served)).toEqual([]);
  const card = await new DefaultAgentCardResolver().resolve(url);
  expect(card.supportedInterfaces).toMatchObject([{ url: `${url}/rpc`, protocolBinding: binding }]);
  expect(card.securitySchemes["bearer"]?.scheme).toMatchObject({
    $case: "httpAuthSecurityScheme",
    value: { scheme: "Bearer" },
  });
  // The SDK's JSON omits members with their default value.
  const { capabilities, securityRequirements, ...members } = served;
  expect(capabilities).toEqual({ streaming: false, pushNotifications: false, extendedAgentCard: false });
  expect(securityRequirements).toEqual([{ schemes: { bearer: { list: [] } } }]);
  expect(AgentCard.toJSON(card)).toMatchObject(members);
  await expect(new ClientFactory().createFromAgentCard(card)).rejects.toThrow(/transport/i);
});

test("the Python SDK reads the card of the execution zone and finds no interface that it supports", async () => {
  const { url } = await startOpenExecution({ EXECUTION_TOKEN: secret });
  const agents = join(import.meta.dirname, "agents");
  const python = await pythonOf(join(agents, "requirements-1.txt"));
  const { stdout } = await run(python, [join(agents, "resolve_card.py"), url]);
  const { card, refusal } = JSON.parse(stdout) as { card: Partial<A2AAgentCardV1>; refusal: string };
  const { capabilities: _, securityRequirements, ...members } = await cardOf(url);
  expect(card).toMatchObject(members);
  expect(card.supportedInterfaces).toMatchObject([{ url: `${url}/rpc`, protocolBinding: binding }]);
  expect(securityRequirements).toEqual([{ schemes: { bearer: { list: [] } } }]);
  expect(refusal).toMatch(/no compatible transports/i);
});

test("the execution zone, registered as an agent, is refused in one sentence that names the interface of its card", async () => {
  const zone = await startOpenExecution();
  const registry = await startOpenExecution({ ADMIN_TOKENS: adminToken, AGENT_ORIGINS: zone.url });
  const post = async (path: string, body?: object): Promise<Response> =>
    fetch(`${registry.url}/api/v1/agents${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${adminToken}`, "content-type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
  expect((await post("", { name: "zone", url: zone.url })).status).toBe(201);
  const { status, problem } = (await (await post("/zone/health")).json()) as AgentHealth;
  const { supportedInterfaces } = await cardOf(zone.url);
  const version = supportedInterfaces[0]?.protocolVersion;
  expect({ status, problem }).toEqual({
    status: "unhealthy",
    problem: `The card of the agent "zone" offers ${binding} ${version}, but Crosszone needs JSONRPC with A2A 1.0 or 0.3. Add such an interface to the agent.`,
  });
});
