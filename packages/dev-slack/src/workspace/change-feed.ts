import type { ControlEvent } from "../control/protocol.ts";

/** Tells everyone who listens what changed; the browser page's stream and `waitForMessage` live on it. */
export interface ChangeFeed {
  publish(event: ControlEvent): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (event: ControlEvent) => void): () => void;
}

/** A feed that calls its listeners at once, in the order they came. A listener must not throw. */
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
