import type { Fault } from "./faults.ts";

/** Maximum number of remembered requests, and of counted tasks. */
const most = 100;

/** A request that an agent received. */
export interface AskedOf {
  readonly at: string;
  readonly fault: Fault;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
  /** Whether the caller disconnected before the end of the response. */
  left: boolean;
}

/** The current fault of an agent, and its received requests. */
export interface Switchboard {
  fault: Fault;
  /** The latest requests, oldest first. */
  readonly asked: readonly AskedOf[];
  /** Stores a request; returns how many earlier ones had the same id. */
  readonly note: (id: string, asked: AskedOf) => number;
  /** Deletes all requests and turns the fault off. */
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
