import type { Fault } from "./faults.ts";

/** So many requests are remembered, and so many tasks counted. */
const most = 100;

/** A request as an agent got it. */
export interface AskedOf {
  readonly at: string;
  readonly fault: Fault;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Whether its asker left before all of the answer was given. */
  left: boolean;
}

/** How one agent is told to fail, and what it was asked. */
export interface Switchboard {
  fault: Fault;
  /** The latest requests, oldest first. */
  readonly asked: readonly AskedOf[];
  /** Remembers a request; gives how often one of the same id came before it. */
  readonly note: (id: string, asked: AskedOf) => number;
  /** Forgets all requests, and works again. */
  readonly reset: () => void;
}

export function createSwitchboard(): Switchboard {
  const asked: AskedOf[] = [];
  const times = new Map<string, number>();
  const switchboard: Switchboard = {
    fault: "ok",
    asked,
    note: (id, one) => {
      asked.push(one);
      if (asked.length > most) asked.shift();
      const before = times.get(id) ?? 0;
      times.set(id, before + 1);
      const [oldest] = times.keys();
      if (times.size > most && oldest !== undefined) times.delete(oldest);
      return before;
    },
    reset: () => {
      switchboard.fault = "ok";
      asked.length = 0;
      times.clear();
    },
  };
  return switchboard;
}
