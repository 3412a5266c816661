import { createHash } from "node:crypto";

/** A loop that contains a step, and the index of its item. */
export interface LoopAround {
  /** The path of the loop. */
  readonly path: string;
  readonly index: number;
}

/** The bus's limit, characters. */
const longestTaskId = 255;

/** Returns the id of the step at a path. */
export function stepIdOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** Returns the common prefix of the step and its siblings: empty, or the enclosing loops, as in `each[3].`. */
export function prefixOf(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1);
}

/** Returns the prefix of the ids in a loop's body. */
export function itemPrefix(loopPath: string, index: number): string {
  return `${loopPath}[${String(index)}].`;
}

/** Returns the loops around a step, outermost first. */
export function loopsAround(path: string): readonly LoopAround[] {
  return [...path.matchAll(/\[(\d+)\]\./g)].map((match) => ({
    path: path.slice(0, match.index),
    index: Number(match[1]),
  }));
}

/**
 * Returns the task id of one attempt of a step. It is deterministic, so that a task which is sent twice runs once. An id that is too long
 * for the bus ends in its digest.
 */
export function taskIdOf(runId: string, path: string, attempt: number): string {
  const id = `${runId}.${path}.${String(attempt)}`;
  if (id.length <= longestTaskId) return id;
  const digest = createHash("sha256").update(id).digest("base64url");
  return `${id.slice(0, longestTaskId - digest.length - 1)}~${digest}`;
}
