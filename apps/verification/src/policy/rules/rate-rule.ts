import { createTokenBuckets, type TokenBuckets } from "@crosszone/service-kit";
import type { PolicyRule, PolicySubject } from "../policy-rule.ts";

/** Who or what a rate limit counts. */
type RateOwner = "thread" | "user" | "channel" | "team";

/**
 * Limits the messages from one person, team, channel or thread. Stops have their own limits, so that a requester at the limit can still
 * stop running tasks.
 */
export function rateRule(of: RateOwner, buckets: TokenBuckets): PolicyRule {
  return async (subject) => {
    // A command has no thread.
    if (of === "thread" && subject.record.kind === "command") return "allow";
    const what = subject.record.kind === "stop" ? "stop" : "ask";
    const retryAfterMs = buckets.take(`${what} ${await keys[of](subject)}`);
    return retryAfterMs === 0 ? "allow" : { reason: `${of}_rate`, retryAfterMs };
  };
}

/** Returns buckets for this many messages a minute, including one burst of this size. */
export function perMinute(count: number): TokenBuckets {
  return createTokenBuckets({ capacity: count, perMinute: count });
}

/** Returns buckets for this many messages an hour, including one burst of this size. */
export function perHour(count: number): TokenBuckets {
  return createTokenBuckets({ capacity: count, perMinute: count / 60 });
}

const keys: Record<RateOwner, (subject: PolicySubject) => string | Promise<string>> = {
  thread: ({ record }) => `${record.channel} ${record.thread_ts}`,
  user: ({ record }) => record.user_id,
  channel: ({ record }) => record.channel,
  // People from a partner organisation count for their own team.
  team: async ({ record, directory }) => (await directory.user(record.user_id))?.team_id ?? record.team_id,
};
