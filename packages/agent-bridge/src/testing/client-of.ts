import { onTestFinished } from "vitest";
import { createAddressRules } from "../addresses/address-rules.ts";
import type { AgentClient, AgentRequest } from "../client/agent-client.ts";
import { type AgentClientOptions, createAgentClient } from "../client/create-agent-client.ts";
import type { SecretRules } from "../secrets/secret-rules.ts";
import { createSecretSource, type SecretSource } from "../secrets/secret-source.ts";
import { agentOf } from "./agent-record.ts";
import type { AgentReply } from "../protocol/protocol-adapter.ts";

interface ClientOptions extends Omit<AgentClientOptions, "rules" | "secrets" | "secretRules"> {
  readonly origins: readonly string[];
  readonly secrets?: SecretSource;
  /** When absent, every secret can be sent to every agent. */
  readonly secretRules?: SecretRules;
}

/** A client that may call `origins`. Closed with the test. */
export function clientOf({ origins, secrets, secretRules, ...options }: ClientOptions): AgentClient {
  const rules = createAddressRules({ origins });
  const client = createAgentClient({
    rules,
    secrets: secrets ?? createSecretSource({ environment: {} }),
    secretRules: secretRules ?? { check: () => undefined },
    ...options,
  });
  onTestFinished(() => client.close());
  return client;
}

/** A complete request. */
export function requestTo(url: string, own: Partial<AgentRequest> = {}): AgentRequest {
  return {
    agent: agentOf({ url }),
    body: "{}",
    headers: {},
    timeoutMs: 15_000,
    signal: new AbortController().signal,
    ...own,
  };
}

export const textOf = ({ body }: AgentReply): string => Buffer.from(body).toString();
