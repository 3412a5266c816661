/** What a container says of itself. https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-http-protocol-contract.html */
export interface Ping {
  readonly status: "Healthy" | "HealthyBusy";
  /** Unix seconds. */
  readonly time_of_last_update: number;
}

/**
 * Asks a container how it is, as AgentCore does. Throws for any other shape: without the time, or with one in milliseconds, AgentCore
 * ends a session while it works.
 */
export async function ping(container: string): Promise<Ping> {
  const response = await fetch(new URL("/ping", container));
  const answer = (await response.json()) as Partial<Ping>;
  const { status, time_of_last_update: time } = answer;
  const isKnown = status === "Healthy" || status === "HealthyBusy";
  const isSeconds = Number.isInteger(time) && Math.abs(Date.now() / 1000 - (time ?? 0)) < 366 * 24 * 3600;
  if (response.status !== 200 || !isKnown || !isSeconds)
    throw new Error(`not the answer of a healthy container: ${response.status} ${JSON.stringify(answer)}`);
  return answer as Ping;
}
