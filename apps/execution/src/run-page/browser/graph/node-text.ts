import type { RunGraphNode } from "@crosszone/contracts";
import { stateWords } from "../text/state-words.ts";

/** What a step is, where no agent does it. */
export const typeWords: Readonly<Record<RunGraphNode["type"], string>> = {
  agent: "Agent",
  parallel: "Parallel",
  conditional: "Condition",
  loop: "Loop",
  fork_join: "Fork",
};

/** Who does a step, or what kind of step it is. */
export const doerText = ({ agent_name, type }: RunGraphNode): string => agent_name ?? typeWords[type];

/** How far a step is: of how many, where it is done several times, and else its state. */
export function standingText({ done, state, total }: RunGraphNode): string {
  return done === undefined || total === undefined ? stateWords[state] : `${String(done)}/${String(total)}`;
}

/** A step for who hears the page. */
export function spokenText(node: RunGraphNode): string {
  const { done, state, title, total } = node;
  const progress = done === undefined || total === undefined ? "" : `, ${String(done)} of ${String(total)} done`;
  return `${title}, ${doerText(node)}, ${stateWords[state]}${progress}`;
}
