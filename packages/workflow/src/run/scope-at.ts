import type { Scope } from "../mapping/look-up.ts";
import { WorkflowFault } from "../mapping/workflow-fault.ts";
import { stepOf } from "../state/run-plan.ts";
import { hasEnded } from "../state/run-record.ts";
import { itemPrefix, loopsAround, stepIdOf } from "../state/step-path.ts";
import { repeatOf } from "../steps/step-kinds.ts";
import { outputOf } from "./lanes.ts";
import type { RunDraft } from "./run-draft.ts";

/**
 * Returns what a step at a path can refer to: the input, the outputs of ended steps beside and around it, and the items of the loops around
 * it. The body of a loop sees only the steps of its own item.
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

/** Returns the items of a loop. They are not stored: they follow from earlier outputs, which never change. */
export function collectionOf(draft: RunDraft, path: string): readonly unknown[] {
  const known = draft.collections.get(path);
  if (known) return known;
  const step = stepOf(draft.definition, stepIdOf(path));
  const repeat = repeatOf(step);
  if (repeat === undefined) throw new TypeError(`The step "${path}" is not a loop.`);
  const found = draft.plan.expressions.resolve(repeat.collection(step), scopeAt(draft, path));
  if (!Array.isArray(found)) {
    throw new WorkflowFault("collection_invalid", `The items of the loop "${step.id}" are not an array.`);
  }
  draft.collections.set(path, found);
  return found;
}

function iteratorOf(draft: RunDraft, path: string): string | undefined {
  const step = stepOf(draft.definition, stepIdOf(path));
  return repeatOf(step)?.iterator(step);
}
