import type { WorkflowStep } from "@crosszone/contracts";
import type { InnerSteps } from "../steps/step-kind.ts";
import { insideOf } from "../steps/step-kinds.ts";

/** A link from a step to the step after it, or to steps inside it. */
export interface StepLink extends Pick<InnerSteps, "ids" | "keys"> {
  readonly kind: InnerSteps["kind"] | "next";
}

/** Returns every link of a step, without null ones. */
export function linksOf(step: WorkflowStep): readonly StepLink[] {
  const { next_step: next } = step;
  const inside = insideOf(step);
  return next === null || next === undefined ? inside : [...inside, { kind: "next", ids: [next], keys: ["next_step"] }];
}

/** Returns true if the index of an id follows the keys of the link. */
export const isIndexed = ({ kind }: StepLink): boolean => kind === "list" || kind === "set";

/** Yields the ids of a chain of next_step, each once. A chain inside a step ends before that step's next step. */
export function* chainFrom(
  steps: ReadonlyMap<string, WorkflowStep>,
  start: unknown,
  until?: string | null,
): Generator<string> {
  const seen = new Set<string>();
  for (let id = start; typeof id === "string" && id !== until && !seen.has(id); id = steps.get(id)?.next_step) {
    seen.add(id);
    yield id;
  }
}

/** Returns the last steps of chains inside steps, which lead to the next step of the step around them. */
export function joiningSteps(steps: ReadonlyMap<string, WorkflowStep>): ReadonlyMap<string, string> {
  const joins = new Map<string, string>();
  for (const step of steps.values()) {
    const { next_step: next } = step;
    if (typeof next !== "string") continue;
    const chains = insideOf(step).filter(({ kind }) => kind === "chain");
    for (const start of chains.flatMap(({ ids }) => ids))
      for (const id of chainFrom(steps, start, next)) if (steps.get(id)?.next_step === next) joins.set(id, next);
  }
  return joins;
}

/** Returns the steps in lists, each with its possible successors in an ordered list. */
export function listedSteps(steps: ReadonlyMap<string, WorkflowStep>): ReadonlyMap<string, ReadonlySet<string>> {
  const listed = new Map<string, Set<string>>();
  for (const link of [...steps.values()].flatMap(linksOf).filter(isIndexed))
    link.ids.forEach((id, at) => {
      const followers = listed.get(id) ?? new Set();
      const next = link.ids[at + 1];
      if (link.kind === "list" && next !== undefined) followers.add(next);
      listed.set(id, followers);
    });
  return listed;
}
