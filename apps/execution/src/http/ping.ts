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
export function pingAnswer({
  running,
  changedAt,
}: {
  readonly running: () => number;
  readonly changedAt: () => number;
}): PingAnswer {
  return {
    status: running() > 0 ? "HealthyBusy" : "Healthy",
    time_of_last_update: Math.floor(changedAt() / 1_000),
  };
}
