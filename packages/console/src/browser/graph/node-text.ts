import type { RunGraphNode } from "@crosszone/contracts";
import { stateWords, typeName } from "../text/step-words.ts";

/** Returns the agent of a step, or its kind. */
export const doerText = ({ agent_name, type }: RunGraphNode): string => agent_name ?? typeName(type);

/** Returns a step's progress: how many of its instances are done, or its state. */
export function standingText({ done, state, total }: RunGraphNode): string {
  return done === undefined || total === undefined ? stateWords[state] : `${String(done)}/${String(total)}`;
}

/** Describes a step for screen readers. */
export function spokenText(node: RunGraphNode): string {
  const { done, state, title, total } = node;
  const progress = done === undefined || total === undefined ? "" : `, ${String(done)} of ${String(total)} done`;
  return `${title}, ${doerText(node)}, ${stateWords[state]}${progress}`;
}
