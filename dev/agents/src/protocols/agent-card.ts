import type { A2AAgentCard } from "@crosszone/contracts";
import type { SampleAgent } from "../samples/sample-agent.ts";

/** Returns an agent's A2A card. https://a2a-protocol.org/v0.3.0/specification/#5-agent-discovery-the-agent-card */
export function agentCard({ name, description, skills }: SampleAgent, url: string): A2AAgentCard {
  return {
    protocolVersion: "0.3.0",
    name,
    description,
    url,
    version: "0.1.0",
    preferredTransport: "JSONRPC",
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [...skills],
  };
}
