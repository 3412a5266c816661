/** The ways in which a sample agent fails on purpose, and what its asker sees of each. */
export const faults = {
  ok: "it works",
  rpc_error: "an error in the words of its protocol: the task failed",
  bad_request: "HTTP 400, text",
  server_error: "HTTP 500, text",
  hang: "the request is taken and never answered",
  slow: "the right answer, after three seconds",
  malformed: "HTTP 200 with something that is no JSON",
  oversized: "an answer of 64 MB",
  wrong_id: "an answer with the id of another request",
  redirect: "HTTP 302 to another path",
  working: "a task that takes its time, where the protocol has tasks",
  flaky: "HTTP 503 twice for each task, then the right answer",
  rate_limited: "HTTP 429 with Retry-After: 1 once for each task, then the right answer",
} as const;

/** The name of a way in which a sample agent behaves. */
export type Fault = keyof typeof faults;

export function isFault(name: unknown): name is Fault {
  return typeof name === "string" && Object.hasOwn(faults, name);
}

/** Says which there are, for who named another. */
export const knownFaults: string = `A fault is one of ${Object.keys(faults).join(", ")}.`;
