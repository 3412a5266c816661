/** What AgentCore is told of this session, every few seconds. */
export interface PingAnswer {
  readonly status: "Healthy" | "HealthyBusy";
  /** When the status changed, Unix seconds. Without it, or in another unit, AgentCore ends a session that works. */
  readonly time_of_last_update: number;
}

/**
 * Healthy, or busy while any task runs: work that nobody waits for is invisible to AgentCore otherwise, and it ends idle sessions.
 * https://docs.aws.amazon.com/bedrock-agentcore/latest/devguide/runtime-long-run.html
 */
export function pingAnswer({
  running,
  changedAt,
}: {
  readonly running: number;
  readonly changedAt: number;
}): PingAnswer {
  return {
    status: running > 0 ? "HealthyBusy" : "Healthy",
    time_of_last_update: Math.floor(changedAt / 1000),
  };
}
