import type { AgentCard } from "@a2a-js/sdk";

/** The smallest card of an A2A agent: one JSON-RPC interface, A2A 1.0. */
export function agentCard(url: string): AgentCard {
  return {
    name: "prompt",
    description: "Answers at once",
    version: "1.0.0",
    supportedInterfaces: [{ url, protocolBinding: "JSONRPC", tenant: "", protocolVersion: "1.0" }],
    capabilities: { streaming: false, pushNotifications: false, extensions: [] },
    provider: undefined,
    securitySchemes: {},
    securityRequirements: [],
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [],
    signatures: [],
  };
}
