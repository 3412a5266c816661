import { hash } from "node:crypto";
import { bracketWorkflows } from "../../harness/bracket-workflows.ts";
import type { Judged } from "./judge-messages.ts";

/** What the agents `newer` and `older` were asked: for each idempotency key, the different requests that had it. */
export interface AgentRequests {
  readonly byKey: ReadonlyMap<string, ReadonlySet<string>>;
  readonly note: (key: string | undefined, body: string) => void;
}

export function noteRequests(): AgentRequests {
  const byKey = new Map<string, Set<string>>();
  return {
    byKey,
    note: (key = "none", body) => void byKey.getOrInsertComputed(key, () => new Set()).add(hash("sha256", body)),
  };
}

/**
 * Returns what is wrong with the requests: each question to an agent and each step of a run is one request. Processes that die repeat it, with its
 * key and its bytes, so the agent can recognize it.
 */
export function requestComplaintsOf({ byKey }: AgentRequests, judged: readonly Judged[]): string[] {
  const steps = judged
    .filter(({ verdict }) => verdict === "answered")
    .map(({ planned: { kind, number } }) => {
      if (kind === "agent") return 1;
      return kind === "run" ? (bracketWorkflows[number % bracketWorkflows.length]?.paths.length ?? 0) : 0;
    });
  const expected = steps.reduce((sum, count) => sum + count, 0);
  const changed = [...byKey].filter(([, requests]) => requests.size > 1);
  return [
    ...(byKey.size === expected ? [] : [`${expected} requests of agents had ${byKey.size} keys`]),
    ...changed.map(([key, requests]) => `an agent got ${requests.size} different requests with the key ${key}`),
  ];
}
