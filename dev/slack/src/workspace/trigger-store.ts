import { randomBytes, randomInt } from "node:crypto";

/** Slack's error for an invalid trigger id. */
type TriggerProblem = "invalid_trigger_id" | "expired_trigger_id" | "exchanged_trigger_id";

/** Stores trigger ids: each lets the app open one view for the person who triggered it. */
export interface TriggerStore {
  issue(user: string): string;
  /** Returns the person, or the error. */
  find(id: string): { user: string } | TriggerProblem;
  /** Marks the id as used. */
  exchange(id: string): void;
}

/** A trigger is valid for three seconds. See https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
const LIFETIME_MS = 3_000;

/** Makes an in-memory store. */
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
