import type { WorkflowStep } from "@crosszone/contracts";

/** A link from a step to a step, or to a list of steps that run in order or in parallel. */
export interface StepLink {
  /** `next`: the step after this one. `branch`: a chain inside this step. `list`: steps inside this step. */
  readonly kind: "next" | "branch" | "list";
  readonly ids: readonly string[];
  /** Keys from the step to the link. For a list, the index of an id follows. */
  readonly keys: readonly string[];
}

/** Returns every link of a step, without null ones. */
export function linksOf(step: WorkflowStep): StepLink[] {
  return [...innerLinks(step), ...one("next", "next_step", step.next_step)];
}

/** Returns the links to steps inside a step. A branch that begins with the conditional's next step is empty. */
export function innerLinks(step: WorkflowStep): StepLink[] {
  if (step.type === "agent") return [];
  if (step.type === "parallel") return [{ kind: "list", ids: step.parallel_steps, keys: ["parallel_steps"] }];
  if (step.type === "loop")
    return [{ kind: "list", ids: step.loop_config.loop_body, keys: ["loop_config", "loop_body"] }];
  if (step.type === "conditional")
    return (["if_true_step", "if_false_step"] as const).flatMap((key) =>
      step[key] === step.next_step ? [] : one("branch", key, step[key]),
    );
  return Object.entries(step.fork_join_config.branches).map(([name, branch]) => ({
    kind: "list",
    ids: branch?.steps ?? [],
    keys: ["fork_join_config", "branches", name, "steps"],
  }));
}

function one(kind: "next" | "branch", key: string, id: string | null | undefined): StepLink[] {
  return id === null || id === undefined ? [] : [{ kind, ids: [id], keys: [key] }];
}

/** Yields the ids of a chain of next_step, each once. A branch of a conditional ends before the conditional's next step. */
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

/** Returns the last steps of a conditional's branches, which lead to its next step. A branch that begins with the next step is empty. */
export function joiningSteps(steps: ReadonlyMap<string, WorkflowStep>): ReadonlyMap<string, string> {
  const joins = new Map<string, string>();
  for (const step of steps.values()) {
    const { next_step: next } = step;
    if (step.type !== "conditional" || typeof next !== "string") continue;
    for (const start of [step.if_true_step, step.if_false_step])
      for (const id of chainFrom(steps, start, next)) if (steps.get(id)?.next_step === next) joins.set(id, next);
  }
  return joins;
}

/** Returns the steps in lists, each with its possible successors in an ordered list. */
export function listedSteps(steps: ReadonlyMap<string, WorkflowStep>): ReadonlyMap<string, ReadonlySet<string>> {
  const listed = new Map<string, Set<string>>();
  for (const step of steps.values())
    for (const { kind, ids } of linksOf(step))
      if (kind === "list")
        ids.forEach((id, at) => {
          const followers = listed.get(id) ?? new Set();
          const next = ids[at + 1];
          if (step.type !== "parallel" && next !== undefined) followers.add(next);
          listed.set(id, followers);
        });
  return listed;
}
