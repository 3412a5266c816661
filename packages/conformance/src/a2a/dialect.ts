import { protocols } from "@crosszone/agent-bridge/wire";
import { type Version, versions } from "@crosszone/a2a";

export type A2AProtocol = "a2a-1.0" | "jsonrpc-2.0";

/** Task states by the names of A2A 0.3, which name them the same way in both versions. */
export const stateNames = [
  "submitted",
  "working",
  "input-required",
  "completed",
  "canceled",
  "failed",
  "rejected",
  "auth-required",
  "unknown",
] as const;

export type StateName = (typeof stateNames)[number];

/** One version of A2A, and the words that a message or a task has in it. */
export interface Dialect {
  readonly protocol: A2AProtocol;
  readonly version: Version["name"];
  readonly wire: Version;
  readonly roles: { readonly user: string; readonly agent: string };
  readonly stateWords: readonly string[];
}

const dialectOf = (version: Version["name"], words: Pick<Dialect, "roles" | "stateWords">): Dialect => ({
  protocol: protocols[version],
  version,
  wire: versions[version],
  ...words,
});

export const dialects: Readonly<Record<A2AProtocol, Dialect>> = {
  "a2a-1.0": dialectOf("1.0", {
    roles: { user: "ROLE_USER", agent: "ROLE_AGENT" },
    stateWords: stateNames
      .filter((name) => name !== "unknown")
      .map((name) => `TASK_STATE_${name.toUpperCase().replace("-", "_")}`),
  }),
  "jsonrpc-2.0": dialectOf("0.3", { roles: { user: "user", agent: "agent" }, stateWords: stateNames }),
};
