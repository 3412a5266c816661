import type { RunGraphNode } from "@crosszone/contracts";
import { stepStateWords, typeName } from "../text/step-words.ts";

/** Returns the agent of a step, or its kind. */
export const doerText = ({ agent_name, type }: RunGraphNode): string => agent_name ?? typeName(type);

/** Returns a step's progress: how many of its instances are done, or its state. */
export function standingText(node: RunGraphNode): string {
  const { done, total } = node;
  return done === undefined || total === undefined ? stepStateWords(node) : `${String(done)}/${String(total)}`;
}

/** Describes a step for screen readers. */
export function spokenText(node: RunGraphNode): string {
  const { done, title, total } = node;
  const progress = done === undefined || total === undefined ? "" : `, ${String(done)} of ${String(total)} done`;
  return `${title}, ${doerText(node)}, ${stepStateWords(node)}${progress}`;
}
