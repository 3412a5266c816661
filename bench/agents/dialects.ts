import type { AgentCard } from "@a2a-js/sdk";

/** What the benchmarks' agents answer to everything. */
export const answerText = "The capital of Peru is Lima. ".repeat(8);

/** An agent's answer to a request, in its protocol. */
export function answerOf(
  protocol: string,
  { id, task_id }: { readonly id?: string; readonly task_id?: string },
): string {
  if (protocol === "simple-a2a") return JSON.stringify({ task_id, status: "success", output: { text: answerText } });
  const artifacts = [{ artifactId: "a1", parts: [{ kind: "text", text: answerText }] }];
  const result = { kind: "task", id, contextId: "c1", status: { state: "completed" }, artifacts };
  return JSON.stringify({ jsonrpc: "2.0", id, result });
}

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
