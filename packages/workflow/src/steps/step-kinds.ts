import type { WorkflowDefinition, WorkflowStep } from "@crosszone/contracts";
import { agent, prompt, subWorkflow } from "./calls.ts";
import { conditional, forkJoin, loop, parallel } from "./composites.ts";
import { human } from "./human.ts";
import type { CompositeKind, InnerSteps, LeafKind, StepExpression, StepKind } from "./step-kind.ts";
import { wait } from "./wait.ts";

/** All types of steps. The type check fails while a variant of the schema is missing. */
const kinds = {
  agent,
  human,
  wait,
  workflow: subWorkflow,
  prompt,
  parallel,
  conditional,
  loop,
  fork_join: forkJoin,
} satisfies {
  readonly [Type in WorkflowStep["type"]]: StepKind<Type>;
};

export const stepKinds: Readonly<Record<WorkflowStep["type"], StepKind>> = kinds;

export function stepKindOf(step: WorkflowStep): StepKind {
  return stepKinds[step.type];
}

/** Returns the type of the leaf with this id; undefined for other steps, and for those that this build does not know. */
export function leafKindOf({ steps }: WorkflowDefinition, id: string): LeafKind | undefined {
  const type = steps[id]?.type;
  const kind = type !== undefined && Object.hasOwn(stepKinds, type) ? stepKinds[type] : undefined;
  return kind?.form === "leaf" ? kind : undefined;
}

/** Returns the agent that a step calls, or undefined. */
export function agentOf(step: WorkflowStep): string | undefined {
  const kind = stepKindOf(step);
  return kind.form === "leaf" ? kind.agentOf?.(step) : undefined;
}

/** Returns the members of a step's output; undefined if they are not known. */
export function outputMembersOf(step: WorkflowStep): readonly string[] | undefined {
  const kind = stepKindOf(step);
  return kind.form === "leaf" ? kind.outputMembers : undefined;
}

/** Returns the texts of a step that can contain references; none for a step of a type that this build does not know. */
export function expressionsOf(step: WorkflowStep): readonly StepExpression[] {
  const all = Object.hasOwn(stepKinds, step.type) ? stepKindOf(step).expressions(step) : [];
  return all.filter(({ value }) => value !== undefined);
}

/** Returns the steps that a definition places inside a step. */
export function insideOf(step: WorkflowStep): readonly InnerSteps[] {
  const kind = stepKindOf(step);
  return kind.form === "leaf" ? [] : kind.inside(step);
}

/** Returns how the steps inside a step are repeated; undefined if they run once. */
export function repeatOf(step: WorkflowStep): CompositeKind["repeat"] {
  const kind = stepKindOf(step);
  return kind.form === "composite" ? kind.repeat : undefined;
}
