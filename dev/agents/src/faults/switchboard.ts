/** The faults of a sample agent, and what its caller sees. */
export const faults = {
  ok: "no fault",
  rpc_error: "a task failure, as a protocol error",
  bad_request: "HTTP 400, text",
  server_error: "HTTP 500, text",
  hang: "the request is accepted and never answered",
  slow: "the correct answer, after three seconds",
  malformed: "HTTP 200 with a body that is not JSON",
  oversized: "a response of 64 MB",
  wrong_id: "a response with the id of another request",
  redirect: "HTTP 302 to another path",
  working: "a long-running task, where the protocol has tasks",
  flaky: "HTTP 503 twice for each task, then the correct answer",
  rate_limited: "HTTP 429 with Retry-After: 1 once for each task, then the correct answer",
} as const;

/** The name of a fault. */
export type Fault = keyof typeof faults;

export function isFault(name: unknown): name is Fault {
  return typeof name === "string" && Object.hasOwn(faults, name);
}

/** The error text for an unknown fault. */
export const knownFaults: string = `A fault is one of ${Object.keys(faults).join(", ")}.`;

/** Maximum number of remembered requests, and of counted tasks. */
const most = 100;

/** A request that an agent received. */
export interface ReceivedRequest {
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
  readonly asked: readonly ReceivedRequest[];
  /** Stores a request; returns how many earlier ones had the same id. */
  readonly note: (id: string, asked: ReceivedRequest) => number;
  /** Deletes all requests and turns the fault off. */
  readonly reset: () => void;
}

export function createSwitchboard(): Switchboard {
  const asked: ReceivedRequest[] = [];
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
