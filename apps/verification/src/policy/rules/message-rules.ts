import { createTokenBuckets, type TokenBuckets } from "@crosszone/service-kit";
import type { Limits } from "../../limits.ts";
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
  // People from a partner organization count for their own team.
  team: async ({ record, directory }) => (await directory.user(record.user_id))?.team_id ?? record.team_id,
};

/** Denies a message that arrived when too many questions were waiting in its thread, or that is one word to the question that runs. */
export function threadQueueRule({ MAX_WAITING_PER_THREAD: limit }: Limits): PolicyRule {
  return ({ record }) => {
    if (record.kind !== "turned_away") return "allow";
    return record.one_word === true ? { reason: "one_word" } : { reason: "thread_busy", limit };
  };
}

export function textLengthRule({ MAX_QUESTION_CHARACTERS: limit }: Limits): PolicyRule {
  return ({ record }) =>
    record.kind === "ask" && record.text.length > limit ? { reason: "text_too_long", limit } : "allow";
}

/** Limits the number of files, and the size of each. A file whose size the event omits is measured when it is fetched. */
export function filesRule({ MAX_FILES, MAX_FILE }: Limits): PolicyRule {
  return ({ record }) => {
    if (record.kind !== "ask") return "allow";
    if (record.files.length > MAX_FILES) return { reason: "too_many_files", limit: MAX_FILES };
    const tooLarge = record.files.some(({ size = 0 }) => size > MAX_FILE);
    return tooLarge ? { reason: "file_too_large", limit: MAX_FILE } : "allow";
  };
}
