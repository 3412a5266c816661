import type { A2AAgentSkill } from "@crosszone/contracts";

/** A sample agent's work on a text, independent of its protocol and timing. */
export interface SampleAgent {
  readonly name: string;
  /** For people, in one sentence. */
  readonly description: string;
  readonly protocol: "jsonrpc-2.0" | "simple-a2a";
  readonly skills: readonly A2AAgentSkill[];
  /** An example question. */
  readonly example: string;
  /** Whether it answers with a long-running task, which the caller polls. */
  readonly takesTime: boolean;
  readonly work: (text: string) => string;
}
