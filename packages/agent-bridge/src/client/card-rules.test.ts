import { signCard } from "@crosszone/a2a/signatures";
import { canonicalJson } from "@crosszone/service-kit/json";
import { exportJWK, generateKeyPair, type JWK } from "jose";
import { beforeAll, expect, test } from "vitest";
import { AgentFailure } from "../protocol/protocol-adapter.ts";
import { createAgentGate } from "../registry-api/agent-gate.ts";
import { checkHealth } from "../registry-api/test-agent.ts";
import { agentOf } from "../testing/agent-record.ts";
import { done10, result, startCardedAgent } from "../testing/start-carded-agent.ts";
import { clientOf } from "../testing/start-call.ts";
import { type CardRules, createCardRules } from "./agent-card.ts";

let secret: JWK;
let open: JWK;
beforeAll(async () => {
  const pair = await generateKeyPair("ES256", { extractable: true });
  secret = await exportJWK(pair.privateKey);
  open = { ...(await exportJWK(pair.publicKey)), kid: "k" };
});

const card = {
  name: "A",
  description: "Answers.",
  version: "1.0.0",
  supportedInterfaces: [{ url: "/signed", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  capabilities: { streaming: false },
};
const sign = (kid = "k"): Promise<object> => signCard(card, { key: secret, kid, canonicalJson });

/** Calls an agent with a card, and returns how the call ended. */
async function call(shown: object | undefined | "unreachable", mode: CardRules["mode"]) {
  const served = shown === "unreachable" ? (): "unreachable" => "unreachable" : shown;
  const answers = {
    SendMessage: result({ task: done10("done") }),
    "message/send": result({ kind: "message", role: "agent", parts: [{ text: "done" }] }),
  };
  const agent = await startCardedAgent({ card: served, answers });
  const cardRules = createCardRules(mode);
  cardRules.trust([{ ...open, kid: "k", kty: "EC" }]);
  const client = clientOf({ origins: [agent.url], cardRules });
  const end = await agent.start({ deps: { client } }).end;
  return { agent, client, end };
}

type Shown = () => Promise<object | undefined>;
test.each<readonly [CardRules["mode"], string, Shown]>([
  ["require", "a signed card", () => sign()],
  ["if-present", "a signed card", () => sign()],
  ["if-present", "an unsigned card", async () => card],
  ["if-present", "no card", async () => undefined],
  ["off", "a broken signature", async () => ({ ...(await sign()), version: "2" })],
])("%s: an agent with %s is called", async (mode, _, make) => {
  const { end, agent } = await call(await make(), mode);
  expect(end).toMatchObject({ failure: undefined });
  expect(agent.methods().length).toBeGreaterThan(0);
});

const refusal = (why: string): string =>
  `is not trusted: ${why}. Sign the card with a key of the section card_keys of EXECUTION_FILE, or add its key there.`;

const changed: Shown = async () => ({ ...(await sign()), version: "2" });
const noMatch = 'its signature with the key "k" does not match';
test.each<readonly [CardRules["mode"], string, Shown, string]>([
  ["require", "an unsigned card", async () => card, "it has no signature"],
  ["require", "no card", async () => undefined, "there is none"],
  ["require", "a changed card", changed, noMatch],
  ["if-present", "a changed card", changed, noMatch],
  ["if-present", "an unknown key", () => sign("other"), 'its signature has the unknown key "other"'],
])("%s: an agent with %s is not called, and the failure says what to do", async (mode, _, ...[make, why]) => {
  const { end, agent } = await call(await make(), mode);
  expect(end.failure).toMatchObject({ kind: "card_refused", retryable: false });
  expect(end.failure?.message).toContain(refusal(why));
  expect(agent.methods()).toEqual([]);
});

test("require: an agent whose card can't be fetched for now is not called as if it had none", async () => {
  const { end, agent } = await call("unreachable", "require");
  expect(end.failure).toMatchObject({ kind: "card_refused", retryable: true });
  expect(agent.methods()).toEqual([]);
});

test("members that no signature covers don't decide how an agent is called", async () => {
  const supportedInterfaces = [{ url: "/", protocolBinding: "GRPC", protocolVersion: "1.0" }];
  const signed = await signCard({ ...card, supportedInterfaces }, { key: secret, kid: "k", canonicalJson });
  const { end, agent } = await call({ ...signed, url: "/unsigned", protocolVersion: "0.3.0" }, "require");
  expect(end.failure).toMatchObject({ kind: "protocol_unsupported" });
  expect(agent.methods()).toEqual([]);
});

test("an agent with an untrusted card is not registered, and its probe says why", async () => {
  const { agent, client } = await call({ ...(await sign()), version: "2" }, "if-present");
  const gate = createAgentGate(client, () => Promise.reject(new Error("no check was expected")));
  const record = agentOf({ url: `${agent.url}/`, protocol: "auto" });
  const problems = [{ pointer: "/url", message: expect.stringContaining(refusal(noMatch)) as string }];
  await expect(gate.checkCard(record)).rejects.toMatchObject({ kind: "invalid_body", problems });
  await gate.checkCard({ ...record, protocol: "a2a-1.0" });
  const health = await checkHealth(client, record, new AbortController().signal);
  expect(health).toMatchObject({ status: "unhealthy", problem: expect.stringContaining("is not trusted") as string });
});

test("an agent that does not run yet can be registered, and without the rule no card is fetched", async () => {
  const { agent, client } = await call(await sign(), "if-present");
  const gate = createAgentGate(client, () => Promise.reject(new Error("no check was expected")));
  await expect(gate.checkCard(agentOf({ url: "http://127.0.0.1:9/", protocol: "auto" }))).resolves.toBeUndefined();
  const free = clientOf({ origins: [agent.url] });
  const counting = { ...free, fetchCard: () => Promise.reject(new AgentFailure("internal", "no fetch was expected")) };
  const freely = createAgentGate(counting, () => Promise.reject(new Error()));
  await expect(freely.checkCard(agentOf({ url: agent.url, protocol: "auto" }))).resolves.toBeUndefined();
});

test.each<CardRules["mode"]>(["require", "if-present"])(
  "%s: a card of two megabytes with eight wrong signatures is refused before any is verified",
  async (mode) => {
    const { signatures } = (await sign()) as { signatures: readonly object[] };
    const skills = Array.from({ length: 2_000 }, (_, n) => ({
      id: `s${n}`,
      name: "n",
      description: "d".repeat(1_000),
      tags: [],
    }));
    const { end, agent } = await call({ ...card, skills, signatures: Array(8).fill(signatures[0]) }, mode);
    expect(end.failure?.message).toMatch(/is not trusted: it has 2\d{6} bytes, and a signed card can have 262144\./);
    expect(agent.methods()).toEqual([]);
  },
);
