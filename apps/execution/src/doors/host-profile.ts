/** The status of this session, which AgentCore polls every few seconds. */
export interface PingAnswer {
  readonly status: "Healthy" | "HealthyBusy";
  /** Unix seconds of the last status change. Without it, or in another unit, AgentCore ends working sessions. */
  readonly time_of_last_update: number;
}

/**
 * Returns `Healthy`, or busy while any task runs. AgentCore ends idle sessions and can't see background work.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-long-run.html
 */
export function pingAnswer(tasks: { readonly running: () => number; readonly changedAt: () => number }): PingAnswer {
  const status = tasks.running() > 0 ? "HealthyBusy" : "Healthy";
  return { status, time_of_last_update: Math.floor(tasks.changedAt() / 1_000) };
}

/** How a host expects a container to behave. */
export interface HostProfile {
  /** The default host to listen on. */
  readonly host: string;
  readonly port: number;
  /** Whether the host sets the port in `PORT`. */
  readonly portFromHost?: boolean;
  /** The path of JSON-RPC. */
  readonly rpcPath: "/rpc" | "/invocations";
  /** Clients may omit the content type, or send `application/octet-stream`, as boto3 does. */
  readonly untypedBodies?: boolean;
  /** Serves `/ping`, which tells AgentCore whether a session is busy. */
  readonly ping?: boolean;
  /** Serves `/readiness`. */
  readonly readiness?: boolean;
}

/** The known hosts, by their name in `HOST_PROFILE`. */
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

/** Returns where to listen: the explicit setting, else the host's, else the profile's default. */
export function chooseListening(
  name: HostProfileName,
  said: { readonly host?: string; readonly port?: number; readonly hostPort?: number },
) {
  const { host, port, portFromHost }: HostProfile = hostProfiles[name];
  const fromHost = portFromHost && said.port === undefined ? said.hostPort : undefined;
  return {
    host: said.host ?? host,
    port: said.port ?? fromHost ?? port,
    portVariable: fromHost === undefined ? ("EXECUTION_PORT" as const) : ("PORT" as const),
  };
}
