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
