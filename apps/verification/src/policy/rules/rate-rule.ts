import type { TokenBuckets } from "@crosszone/service-kit";
import type { PolicyRule, PolicySubject } from "../policy-rule.ts";

export interface RateRuleOptions {
  readonly of: "thread" | "user" | "channel" | "team";
  readonly buckets: TokenBuckets;
}

/**
 * Limits messages in a period from one person, team, channel or thread. Stops have their own limits, so that a requester at the limit can
 * still stop running tasks.
 */
export function createRateRule({ of, buckets }: RateRuleOptions): PolicyRule {
  return {
    name: `${of}_rate`,
    judge: async (subject) => {
      // A command has no thread.
      if (of === "thread" && subject.record.kind === "command") return "allow";
      const what = subject.record.kind === "stop" ? "stop" : "ask";
      const retryAfterMs = buckets.take(`${what} ${await keys[of](subject)}`);
      return retryAfterMs === 0 ? "allow" : { reason: `${of}_rate`, retryAfterMs };
    },
  };
}

const keys: Record<RateRuleOptions["of"], (subject: PolicySubject) => string | Promise<string>> = {
  thread: ({ record }) => `${record.channel} ${record.thread_ts}`,
  user: ({ record }) => record.user_id,
  channel: ({ record }) => record.channel,
  // People from a partner organisation count for their own team.
  team: async ({ record, directory }) => (await directory.user(record.user_id))?.team_id ?? record.team_id,
};
