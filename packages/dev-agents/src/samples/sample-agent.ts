import type { A2AAgentSkill } from "@crosszone/contracts";

/** What an agent can do with a text. Which protocol it is asked in, and how long it takes, is no matter of the work itself. */
export interface SampleAgent {
  readonly name: string;
  /** For people, in one sentence. */
  readonly description: string;
  readonly protocol: "jsonrpc-2.0" | "simple-a2a";
  readonly skills: readonly A2AAgentSkill[];
  /** Something to ask it. */
  readonly example: string;
  /** Whether a task takes its time, and is followed by its asker; any other is answered at once. */
  readonly takesTime: boolean;
  readonly work: (text: string) => string;
}
