import type { AgentRecord } from "@crosszone/contracts";

/** The registered agents, by name. Answers from memory; all processes see a change within seconds. */
export interface AgentRegistry {
  /** Returns the agent of this name, even if disabled. */
  readonly find: (name: string) => Promise<AgentRecord | undefined>;
  /** Returns all enabled agents, sorted by name. */
  readonly listEnabled: () => Promise<readonly AgentRecord[]>;
}
