import { randomBytes, randomInt } from "node:crypto";

/** What is wrong with a trigger id, in Slack's words. */
export type TriggerProblem = "invalid_trigger_id" | "expired_trigger_id" | "exchanged_trigger_id";

/** Trigger ids: each lets the app open one view for the person who did something. */
export interface TriggerStore {
  issue(user: string): string;
  /** The person, or what is wrong. */
  find(id: string): { user: string } | TriggerProblem;
  /** The id is good for no other view. */
  exchange(id: string): void;
}

/** See https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses: a trigger is good for three seconds. */
const LIFETIME_MS = 3_000;

/** Triggers in memory. */
export function createTriggerStore(now: () => number = Date.now): TriggerStore {
  const triggers = new Map<string, { user: string; until: number; isExchanged: boolean }>();
  return {
    issue: (user) => {
      const id = `${randomInt(1e9, 1e10)}.${randomInt(1e9, 1e10)}.${randomBytes(16).toString("hex")}`;
      triggers.set(id, { user, until: now() + LIFETIME_MS, isExchanged: false });
      return id;
    },
    find: (id) => {
      const trigger = triggers.get(id);
      if (!trigger) return "invalid_trigger_id";
      if (trigger.isExchanged) return "exchanged_trigger_id";
      return now() < trigger.until ? { user: trigger.user } : "expired_trigger_id";
    },
    exchange: (id) => {
      const trigger = triggers.get(id);
      if (trigger) trigger.isExchanged = true;
    },
  };
}
