import { createAdapters } from "../adapters/adapters.ts";
import { createCircuitBreakers } from "../breaker/create-circuit-breakers.ts";
import type { AgentCaller } from "../calls/agent-caller.ts";
import { createAgentCaller } from "../calls/create-agent-caller.ts";
import { createAddressRules } from "../client/address/address-rules.ts";
import { createAgentClient } from "../client/create-agent-client.ts";
import { createSecretRules } from "../secrets/create-secret-rules.ts";
import { createSecretSource } from "../secrets/create-secret-source.ts";
import { recordingObserver } from "./recording-observer.ts";

/** Creates the app's agent caller, over HTTP to these origins. */
export function createRealCaller(origins: readonly string[]): {
  readonly caller: AgentCaller;
  readonly close: () => Promise<void>;
} {
  const client = createAgentClient({
    rules: createAddressRules({ origins }),
    secrets: createSecretSource({ environment: {} }),
    secretRules: createSecretRules({ bindings: [] }),
  });
  const observer = recordingObserver();
  const breakers = createCircuitBreakers();
  return { caller: createAgentCaller({ adapters: createAdapters(), client, breakers, observer }), close: client.close };
}
