import { type Scope, WorkflowFault } from "../mapping/scope.ts";
import { itemPrefix, loopsAround, stepIdOf, stepOf } from "../state/run-plan.ts";
import { hasEnded } from "../state/run-record.ts";
import { repeatOf } from "../steps/step-kinds.ts";
import { outputOf } from "./lanes.ts";
import type { RunEdit } from "./run-edit.ts";

/**
 * Returns what a step at a path can refer to: the input, the outputs of the ended steps of its own lane and of the enclosing ones, and the
 * items of the enclosing loops. The body of a loop sees only the steps of its own item.
 */
export function scopeAt(edit: RunEdit, path: string): Scope {
  const loops = loopsAround(path);
  const outputs = new Map<string, unknown>();
  for (const prefix of ["", ...loops.map((loop) => itemPrefix(loop.path, loop.index))]) {
    for (const id of Object.keys(edit.definition.steps)) {
      const record = edit.steps.get(prefix + id);
      if (record && hasEnded(record) && record.state !== "canceled") outputs.set(id, outputOf(edit, prefix + id));
    }
  }
  const variables = new Map<string, unknown>();
  for (const { index, path: loop } of loops) {
    const item = collectionOf(edit, loop)[index];
    const name = iteratorOf(edit, loop);
    variables.set("item", item).set("index", index);
    if (name !== undefined) variables.set(name, item);
  }
  return { input: edit.plan.input, outputs, variables };
}

/** Returns the items of a loop. They are not stored: they follow from earlier outputs, which never change. */
export function collectionOf(edit: RunEdit, path: string): readonly unknown[] {
  const known = edit.collections.get(path);
  if (known) return known;
  const step = stepOf(edit.definition, stepIdOf(path));
  const repeat = repeatOf(step);
  if (repeat === undefined) throw new TypeError(`The step "${path}" is not a loop.`);
  const found = edit.plan.expressions.resolve(repeat.collection(step), scopeAt(edit, path));
  if (!Array.isArray(found)) {
    throw new WorkflowFault("collection_invalid", `The items of the loop "${step.id}" are not an array.`);
  }
  edit.collections.set(path, found);
  return found;
}

function iteratorOf(edit: RunEdit, path: string): string | undefined {
  const step = stepOf(edit.definition, stepIdOf(path));
  return repeatOf(step)?.iterator(step);
}
