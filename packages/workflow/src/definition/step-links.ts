import type { WorkflowStep } from "@crosszone/contracts";

/** What a step leads to: a step, or a list of them that run one after the other or at once. */
export interface StepLink {
  /** `next` follows the step, `branch` is a chain of its own within it, `list` steps that belong to it. */
  readonly kind: "next" | "branch" | "list";
  readonly ids: readonly string[];
  /** Where it is written, keys from the step on; of a list, each id one further. */
  readonly keys: readonly string[];
}

/** Every link of a step, null ones left out. */
export function linksOf(step: WorkflowStep): StepLink[] {
  return [...innerLinks(step), ...one("next", "next_step", step.next_step)];
}

/** The links to what is within a step. A branch that begins with what follows the conditional is empty. */
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

/** The ids that follow one another by next_step, each once; in a branch of a conditional up to what follows the conditional. */
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

/** The steps that lead back from a branch of a conditional to what follows it. A branch that is what follows is empty. */
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

/** The steps that lists hold, each with those that come right behind it in a list that runs in order. */
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
