import { writeFileSync } from "node:fs";
import { signCard } from "@crosszone/a2a/signatures";
import { createHealth, createMetrics } from "@crosszone/service-kit";
import { canonicalJson } from "@crosszone/service-kit/json";
import { serve, tempFile } from "@crosszone/testkit/temporary";
import { exportJWK, generateKeyPair } from "jose";
import { expect, onTestFinished, test, vi } from "vitest";
import { loadExecutionConfig } from "./config/config.ts";
import { openTaskStore } from "../tasks/store/task-store.ts";
import { openTestSettings } from "../testing/open-test-settings.ts";
import { openAgentRegistry } from "./open-agents.ts";

test("AGENT_CARD_SIGNATURES: cards signed with a key of the agents file are trusted until it leaves the file", async () => {
  const pair = await generateKeyPair("EdDSA", { extractable: true });
  const [key, open] = await Promise.all([pair.privateKey, pair.publicKey].map(exportJWK));
  const content = {
    name: "A",
    supportedInterfaces: [{ url: "/", protocolBinding: "JSONRPC", protocolVersion: "1.0" }],
  };
  const card = await signCard(content, { key: { kty: "OKP", ...key }, kid: "k", canonicalJson });
  const url = await serve((_request, response) => void response.end(JSON.stringify(card)));
  const fileWith = (keys: readonly object[]): string =>
    JSON.stringify({ agents: [{ name: "A", url }], card_keys: { keys } });
  const path = tempFile("agents.yaml", fileWith([{ ...open, kid: "k" }]));

  const variables = { EXECUTION_FILE: path, AGENT_ORIGINS: new URL(url).origin, AGENT_CARD_SIGNATURES: "require" };
  const { values: config } = loadExecutionConfig(variables);
  const { database, jobs } = await openTaskStore();
  const [metrics, health] = [createMetrics(), createHealth()];
  const settings = await openTestSettings(config);
  const parts = { config, environment: {}, database, jobs, metrics, health, settings, emit: () => undefined };
  const agents = await openAgentRegistry(parts);
  onTestFinished(async () => {
    await agents.close();
    await database.close();
  });
  const agent = await agents.registry.find("A");
  if (agent === undefined) throw new Error("The agent of the file is not registered.");
  const fetchCard = () => agents.client.fetchCard({ agent, timeoutMs: 60_000, signal: new AbortController().signal });
  expect(JSON.parse(Buffer.from((await fetchCard()).body).toString())).toEqual(content);

  writeFileSync(path, fileWith([]));
  const refused = await vi.waitUntil(() =>
    fetchCard().then(
      () => undefined,
      (error: unknown) => error,
    ),
  );
  expect(refused).toMatchObject({ kind: "card_refused" });
});
