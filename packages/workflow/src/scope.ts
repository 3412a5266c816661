/** What the references of one step instance can see. */
export interface Scope {
  /** `workflow.input`. */
  readonly input: unknown;
  /** The outputs of the steps that are done, by step id: those of its own loop body, fork branch or chain, and of all around it. */
  readonly outputs: ReadonlyMap<string, unknown>;
  /** `item`, `index` and the names of iterators, in loops. */
  readonly variables: ReadonlyMap<string, unknown>;
}

/** What a reference begins with, so no step and no iterator is called so. */
export const reservedNames: ReadonlySet<string> = new Set(["workflow", "steps", "item", "index"]);
