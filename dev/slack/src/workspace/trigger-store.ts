import { randomBytes, randomInt } from "node:crypto";

/** What a person did that lets the app open a view. */
export interface Trigger {
  user: string;
  /** The view in which the person did it. */
  view_id?: string;
  /** The conversation in which the person did it. */
  channel?: string;
}

/** The trigger ids. See https://docs.slack.dev/interactivity/handling-user-interaction#modal_responses */
export interface TriggerStore {
  /** Returns a new id. */
  issue(trigger: Trigger): string;
  /** Exchanges an id; returns Slack's error code if it is not valid. */
  exchange(id: string): Trigger | "invalid_trigger_id" | "expired_trigger_id" | "exchanged_trigger_id";
}

/** Makes a store whose ids can be exchanged once within `lifetimeMs` milliseconds; Slack's are three seconds. */
export function createTriggerStore(lifetimeMs: number = 3_000): TriggerStore {
  const issued = new Map<string, { trigger: Trigger; until: number; isExchanged: boolean }>();
  return {
    issue: (trigger) => {
      const id = `${randomInt(1e9, 1e10)}.${randomInt(1e9, 1e10)}.${randomBytes(16).toString("hex")}`;
      issued.set(id, { trigger, until: Date.now() + lifetimeMs, isExchanged: false });
      return id;
    },
    exchange: (id) => {
      const entry = issued.get(id);
      if (!entry) return "invalid_trigger_id";
      if (entry.isExchanged) return "exchanged_trigger_id";
      if (Date.now() >= entry.until) return "expired_trigger_id";
      entry.isExchanged = true;
      return entry.trigger;
    },
  };
}
