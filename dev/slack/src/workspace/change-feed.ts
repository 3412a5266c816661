import type { ControlEvent } from "../protocol/control-api.ts";

/** Publishes changes to subscribers, such as the browser page's stream and `waitForMessage`. */
export interface ChangeFeed {
  publish(event: ControlEvent): void;
  /** Returns a function that ends the subscription. */
  subscribe(listener: (event: ControlEvent) => void): () => void;
}

/** Makes a feed that calls its subscribers synchronously, in the order of subscription. A subscriber must not throw. */
export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<(event: ControlEvent) => void>();
  return {
    publish: (event) => {
      for (const listener of listeners) listener(event);
    },
    subscribe: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
