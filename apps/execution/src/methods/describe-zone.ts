import { contractVersion, type A2AAgentCardV1 } from "@crosszone/contracts";
import type { Agent } from "../agents/agent.ts";

/**
 * The binding URI of the zone link in an agent card. A2A requires a URI for a custom binding; clients that don't know
 * it skip the interface. https://a2a-protocol.org/v1.0.0/specification/#446-agentinterface
 */
export const zoneLinkBinding = "https://crosszone.dev/bindings/zone-link";

export interface DescribeZoneOptions {
  /** Version of the zone; `0.0.0` when absent. */
  readonly version?: string;
  /** Configured URL of the zone, without `rpcPath`. */
  readonly url?: string;
  readonly rpcPath: string;
  /** The zone's own agents. Registered agents do not belong on a public card. */
  readonly agents: readonly Agent[];
  /** How callers authenticate, when A2A has a scheme for it. */
  readonly scheme: "bearer" | "mtls" | undefined;
}

/**
 * Returns the agent card of the zone. `origin` is the scheme, host and port of the request; a configured URL takes precedence. Without either,
 * as within one process, the card has no interface.
 */
export type DescribeZone = (origin?: string) => A2AAgentCardV1;

/**
 * Creates the card of A2A 1.0. It declares the zone link, because the zone serves no A2A methods.
 * https://a2a-protocol.org/v1.0.0/specification/#441-agentcard
 */
export function createDescribeZone({
  version = "0.0.0",
  url,
  rpcPath,
  agents,
  scheme,
}: DescribeZoneOptions): DescribeZone {
  const interfaceAt = (base: string): A2AAgentCardV1["supportedInterfaces"][number] => ({
    url: base.replace(/\/+$/, "") + rpcPath,
    protocolBinding: zoneLinkBinding,
    protocolVersion: contractVersion,
  });
  const skills = agents.flatMap((agent) =>
    agent.skills.map(({ id, name, description, examples }) => {
      return { id, name, description, tags: [agent.name], examples: [...examples] };
    }),
  );
  return (origin) => {
    const base = url ?? origin;
    return {
      name: "Crosszone execution zone",
      description:
        "Runs tasks on agents. Callers use the JSON-RPC methods of the Crosszone zone link, such as execute_task. A2A methods are not served.",
      version,
      supportedInterfaces: base === undefined ? [] : [interfaceAt(base)],
      capabilities: { streaming: false, pushNotifications: false, extendedAgentCard: false },
      ...(scheme && security[scheme]),
      defaultInputModes: ["text/plain"],
      defaultOutputModes: ["text/markdown"],
      skills,
    };
  };
}

/** https://a2a-protocol.org/v1.0.0/specification/#451-securityscheme */
const security = {
  bearer: {
    securitySchemes: { bearer: { httpAuthSecurityScheme: { scheme: "Bearer" } } },
    securityRequirements: [{ schemes: { bearer: { list: [] } } }],
  },
  mtls: {
    securitySchemes: { mtls: { mtlsSecurityScheme: {} } },
    securityRequirements: [{ schemes: { mtls: { list: [] } } }],
  },
} satisfies Record<"bearer" | "mtls", Partial<A2AAgentCardV1>>;
