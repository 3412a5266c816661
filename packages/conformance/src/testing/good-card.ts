import type { JsonObject } from "../wire/json.ts";

export const agentUrl = "http://agent.test/";

/** A card for both versions of A2A. */
export function goodCard(versions: readonly string[], url: string): JsonObject {
  return {
    name: "Good agent",
    description: "Complies.",
    version: "1.0.0",
    capabilities: { streaming: true },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [{ id: "comply", name: "Comply", description: "Complies.", tags: ["test"] }],
    ...(versions.includes("1.0") && {
      supportedInterfaces: versions.map((protocolVersion) => ({ url, protocolBinding: "JSONRPC", protocolVersion })),
    }),
    ...(versions.includes("0.3") && { url, protocolVersion: "0.3.0", preferredTransport: "JSONRPC" }),
  };
}
