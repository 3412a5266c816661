import type { WorkflowStep } from "@crosszone/contracts";
import { agent } from "./agent.ts";
import { conditional, forkJoin, parallel } from "./branches.ts";
import { human } from "./human.ts";
import { loop } from "./loop.ts";
import type { CompositeKind, InnerSteps, StepExpression, StepKind } from "./step-kind.ts";

/** All types of steps. The type check fails while a variant of the schema is missing. */
const kinds = { agent, human, parallel, conditional, loop, fork_join: forkJoin } satisfies {
  readonly [Type in WorkflowStep["type"]]: StepKind<Type>;
};

export const stepKinds: Readonly<Record<WorkflowStep["type"], StepKind>> = kinds;

export function kindOf(step: WorkflowStep): StepKind {
  return stepKinds[step.type];
}

/** Returns the agent that a step calls, or undefined. */
export function agentOf(step: WorkflowStep): string | undefined {
  const kind = kindOf(step);
  return kind.form === "leaf" ? kind.agentOf(step) : undefined;
}

/** Returns the members of a step's output; undefined if they are not known. */
export function outputMembersOf(step: WorkflowStep): readonly string[] | undefined {
  const kind = kindOf(step);
  return kind.form === "leaf" ? kind.outputMembers : undefined;
}

/** Returns the texts of a step that can contain references; none for a step of a type that this build does not know. */
export function expressionsOf(step: WorkflowStep): readonly StepExpression[] {
  return Object.hasOwn(stepKinds, step.type) ? kindOf(step).expressions(step) : [];
}

/** Returns the steps that a definition places inside a step. */
export function insideOf(step: WorkflowStep): readonly InnerSteps[] {
  const kind = kindOf(step);
  return kind.form === "leaf" ? [] : kind.inside(step);
}

/** Returns how the steps inside a step are repeated; undefined if they run once. */
export function repeatOf(step: WorkflowStep): CompositeKind["repeat"] {
  const kind = kindOf(step);
  return kind.form === "composite" ? kind.repeat : undefined;
}
