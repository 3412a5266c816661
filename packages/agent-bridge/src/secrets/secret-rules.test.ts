import type { AgentAuth, AgentRecord } from "@crosszone/contracts";
import { expect, test } from "vitest";
import type { AgentFailure } from "../protocol/agent-failure.ts";
import { createSecretRules, parseSecretBinding } from "./secret-rules.ts";

const bearer: AgentAuth = { type: "bearer", token: "env:AGENT_SECRET_A" };
const url = "https://a.example.com/x";

/** Returns the error message for an agent that was registered over the API. */
function refusal(bindings: readonly string[], agent: Partial<Pick<AgentRecord, "auth" | "source" | "url">> = {}) {
  try {
    createSecretRules({ bindings }).check({ auth: bearer, source: "api", url, ...agent });
    return undefined;
  } catch (error) {
    const { kind, message } = error as AgentFailure;
    return kind === "secret_unavailable" ? message : `unexpected: ${message}`;
  }
}

test("a secret without a binding is sent only to agents of AGENTS_FILE", () => {
  expect(refusal([], { source: "file" })).toBeUndefined();
  expect(refusal(["env:AGENT_SECRET_B=https://a.example.com"])).toBe(
    "The secret env:AGENT_SECRET_A must not be sent to https://a.example.com. To allow it, add env:AGENT_SECRET_A=https://a.example.com to AGENT_SECRETS_ORIGINS, or declare the agent in AGENTS_FILE.",
  );
  expect(refusal([], { auth: { type: "none" } })).toBeUndefined();
});

test("a secret with bindings is sent only to those origins, also for agents of AGENTS_FILE", () => {
  const bindings = ["env:AGENT_SECRET_A=https://a.example.com", "env:AGENT_SECRET_A=http://127.0.0.1:*"];
  for (const source of ["api", "file"] as const) {
    expect(refusal(bindings, { source })).toBeUndefined();
    expect(refusal(bindings, { source, url: "http://127.0.0.1:8090/" })).toBeUndefined();
    for (const elsewhere of [
      "http://a.example.com/",
      "https://a.example.com:8443/",
      "https://a.example.com.evil.test/",
    ])
      expect(refusal(bindings, { source, url: elsewhere })).toMatch(/AGENT_SECRETS_ORIGINS\.$/);
  }
});

test.each<[AgentAuth["type"], AgentAuth]>([
  ["api_key", { type: "api_key", header: "x-key", value: "file:s" }],
  ["basic", { type: "basic", username: "u", password: "file:s" }],
  ["mtls", { type: "mtls", cert: "file:c", key: "file:s" }],
])("the secret of %s needs a binding", (_, auth) => {
  const certificate = "file:c=https://a.example.com";
  expect(refusal([certificate], { auth })).toMatch(/^The secret file:s /);
  expect(refusal([certificate, "file:s=https://a.example.com"], { auth })).toBeUndefined();
});

test("a client secret needs a binding for its token endpoint and one for the agent, which gets the token", () => {
  const auth: AgentAuth = {
    type: "oauth2_client_credentials",
    token_url: "https://login.example.com/token",
    client_id: "c",
    client_secret: "file:s",
  };
  const [login, agent] = ["file:s=https://login.example.com", "file:s=https://a.example.com"];
  expect(refusal([login], { auth })).toMatch(/be sent to https:\/\/a\.example\.com\./);
  expect(refusal([agent], { auth })).toMatch(/be sent to https:\/\/login\.example\.com\./);
  expect(refusal([login, agent], { auth })).toBeUndefined();
});

test("an invalid entry is refused without repeating its text, which may be the secret", () => {
  for (const bad of ["hunter2", "hunter2=https://a", "env:PATH=https://a", "=https://a"])
    expect(() => parseSecretBinding(bad)).toThrow(/^(?!.*hunter2).*Expected env:AGENT_SECRET_… or file:…/);
  expect(() => parseSecretBinding("file:s=")).toThrow(TypeError);
});
