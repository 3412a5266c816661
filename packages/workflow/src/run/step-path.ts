import { createHash } from "node:crypto";

/** A loop around a step, and the index of its item. */
export interface LoopAround {
  /** The path of the loop. */
  readonly path: string;
  readonly index: number;
}

/** What the bus takes, characters. */
const longestTaskId = 255;

/** The id of the step at a path. */
export function stepIdOf(path: string): string {
  return path.slice(path.lastIndexOf(".") + 1);
}

/** What stands before the ids of all steps beside this one: empty, or the loops around, as in `each[3].`. */
export function prefixOf(path: string): string {
  return path.slice(0, path.lastIndexOf(".") + 1);
}

/** What stands before the ids in the body of a loop. */
export function itemPrefix(loopPath: string, index: number): string {
  return `${loopPath}[${String(index)}].`;
}

/** The loops around a step, the outermost first. */
export function loopsAround(path: string): readonly LoopAround[] {
  return [...path.matchAll(/\[(\d+)\]\./g)].map((match) => ({
    path: path.slice(0, match.index),
    index: Number(match[1]),
  }));
}

/**
 * Names one attempt of one step of one run on the bus: the same for the same attempt whoever dispatches it, so that a task which is sent
 * twice is done once. One that the bus would refuse for its length ends in its digest.
 */
export function taskIdOf(runId: string, path: string, attempt: number): string {
  const id = `${runId}.${path}.${String(attempt)}`;
  if (id.length <= longestTaskId) return id;
  const digest = createHash("sha256").update(id).digest("base64url");
  return `${id.slice(0, longestTaskId - digest.length - 1)}~${digest}`;
}
