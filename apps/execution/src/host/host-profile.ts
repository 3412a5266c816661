/** How a host expects a container to behave. */
export interface HostProfile {
  /** Where to listen when nothing else is said. */
  readonly host: string;
  readonly port: number;
  /** The host says the port in `PORT`, which it sets itself. */
  readonly portFromHost?: boolean;
  /** Where JSON-RPC is served. */
  readonly rpcPath: "/rpc" | "/invocations";
  /** Clients may leave the content type out, or send `application/octet-stream`, as boto3 does. */
  readonly untypedBodies?: boolean;
  /** Serves `/ping`, by which AgentCore learns whether a session still works. */
  readonly ping?: boolean;
  /** Serves `/readiness`. */
  readonly readiness?: boolean;
}

/** The hosts that are known, by the name that `HOST_PROFILE` gives them. */
export const hostProfiles = {
  plain: { host: "127.0.0.1", port: 4000, rpcPath: "/rpc" },
  /** https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-http-protocol-contract.html */
  agentcore: { host: "0.0.0.0", port: 8080, rpcPath: "/invocations", ping: true, untypedBodies: true },
  /** https://cloud.google.com/run/docs/container-contract */
  "cloud-run": { host: "0.0.0.0", port: 8080, portFromHost: true, rpcPath: "/rpc" },
  /** https://learn.microsoft.com/azure/container-apps/ingress-overview: the port is the ingress's target port. */
  "container-apps": { host: "0.0.0.0", port: 8080, rpcPath: "/rpc" },
  /** https://learn.microsoft.com/azure/ai-foundry/agents/concepts/hosted-agents */
  foundry: { host: "0.0.0.0", port: 8088, rpcPath: "/invocations", readiness: true },
} as const satisfies Record<string, HostProfile>;

export type HostProfileName = keyof typeof hostProfiles;

export interface ListeningChoice {
  readonly host: string;
  readonly port: number;
  /** The variable that would move the port. */
  readonly portVariable: "EXECUTION_PORT" | "PORT";
}

/** Where to listen: what is said explicitly, else what the host says, else the profile's own. */
export function chooseListening(
  name: HostProfileName,
  said: {
    readonly host?: string | undefined;
    readonly port?: number | undefined;
    readonly hostPort?: number | undefined;
  },
): ListeningChoice {
  const { host, port, portFromHost }: HostProfile = hostProfiles[name];
  const fromHost = portFromHost && said.port === undefined ? said.hostPort : undefined;
  return {
    host: said.host ?? host,
    port: said.port ?? fromHost ?? port,
    portVariable: fromHost === undefined ? "EXECUTION_PORT" : "PORT",
  };
}
