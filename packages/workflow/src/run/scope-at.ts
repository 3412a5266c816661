import type { Scope } from "../scope.ts";
import { WorkflowFault } from "../workflow-fault.ts";
import { stepOf } from "./run-plan.ts";
import { hasEnded } from "./lane-end.ts";
import { outputOf } from "./output-of.ts";
import type { RunDraft } from "./run-draft.ts";
import { itemPrefix, loopsAround, stepIdOf } from "./step-path.ts";

/**
 * What a step at a path can refer to: the input, what the steps beside it and around it put out that ended before, and the items of the loops
 * it is in. The body of a loop sees the steps of its own item, never those of another.
 */
export function scopeAt(draft: RunDraft, path: string): Scope {
  const loops = loopsAround(path);
  const outputs = new Map<string, unknown>();
  for (const prefix of ["", ...loops.map((loop) => itemPrefix(loop.path, loop.index))]) {
    for (const id of Object.keys(draft.definition.steps)) {
      const record = draft.steps.get(prefix + id);
      if (record && hasEnded(record) && record.state !== "canceled") outputs.set(id, outputOf(draft, prefix + id));
    }
  }
  const variables = new Map<string, unknown>();
  for (const { index, path: loop } of loops) {
    const item = collectionOf(draft, loop)[index];
    const name = iteratorOf(draft, loop);
    variables.set("item", item).set("index", index);
    if (name !== undefined) variables.set(name, item);
  }
  return { input: draft.plan.input, outputs, variables };
}

/** What a loop runs over. It is not kept with the run: it comes of what was put out before the loop, and that stays as it is. */
export function collectionOf(draft: RunDraft, path: string): readonly unknown[] {
  const known = draft.collections.get(path);
  if (known) return known;
  const step = stepOf(draft.definition, stepIdOf(path));
  if (step.type !== "loop") throw new TypeError(`The step "${path}" is no loop.`);
  const found = draft.plan.expressions.resolve(step.loop_config.collection, scopeAt(draft, path));
  if (!Array.isArray(found)) {
    throw new WorkflowFault("collection_invalid", `What the loop "${step.id}" is to run over is no array.`);
  }
  draft.collections.set(path, found);
  return found;
}

function iteratorOf(draft: RunDraft, path: string): string | undefined {
  const step = stepOf(draft.definition, stepIdOf(path));
  return step.type === "loop" ? step.loop_config.iterator_variable : undefined;
}
