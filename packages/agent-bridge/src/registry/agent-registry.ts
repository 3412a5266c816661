import type { AgentRecord } from "@crosszone/contracts";

/** The agents that can be asked, by name. Answers from memory what was read a moment ago; a change is seen within seconds by all processes. */
export interface AgentRegistry {
  /** The agent of this name, also a disabled one. */
  readonly find: (name: string) => Promise<AgentRecord | undefined>;
  /** All agents that are not disabled, by name. */
  readonly listEnabled: () => Promise<readonly AgentRecord[]>;
}
