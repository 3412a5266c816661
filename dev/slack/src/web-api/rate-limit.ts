/** Slack's rate-limit tiers, and the separate limits of `chat.postMessage` for each channel and of history for apps outside the Marketplace. */
export type Tier = "tier_1" | "tier_2" | "tier_3" | "tier_4" | "post_message" | "unlisted";

/** How many calls are allowed at once, and how many more each minute. */
interface Allowance {
  burst: number;
  per_minute: number;
}

/** An allowance for each tier. */
export type RateLimits = Record<Tier, Allowance>;

/**
 * Slack's published rates, with room for bursts: Slack allows short bursts without giving numbers. See
 * https://docs.slack.dev/apis/web-api/rate-limits
 */
export const SLACK_RATE_LIMITS: RateLimits = {
  tier_1: { burst: 10, per_minute: 1 },
  tier_2: { burst: 100, per_minute: 20 },
  tier_3: { burst: 250, per_minute: 50 },
  tier_4: { burst: 500, per_minute: 100 },
  post_message: { burst: 60, per_minute: 60 },
  unlisted: { burst: 1, per_minute: 1 },
};

/** Limits calls. */
export interface RateLimiter {
  /** Counts one call of a tier under a key (method, or method and channel). Returns 0, or the seconds to wait. */
  take(tier: Tier, key: string): number;
}

/** Makes a leaky bucket for each key. It stores when the bucket will be empty, so a caller that waits as requested succeeds. */
export function createRateLimiter(limits: RateLimits): RateLimiter {
  const emptyAt = new Map<string, number>();
  return {
    take: (tier, key) => {
      const { burst, per_minute } = limits[tier];
      const interval = 60_000 / per_minute;
      const now = Date.now();
      const empty = Math.max(emptyAt.get(key) ?? 0, now);
      const wait = empty - now - (burst - 1) * interval;
      if (wait > 0.001) return Math.ceil(wait / 1000);
      emptyAt.set(key, empty + interval);
      return 0;
    },
  };
}
