/** The values that the references of one step instance can use. */
export interface Scope {
  /** `workflow.input`. */
  readonly input: unknown;
  /** The outputs of ended steps by step id: those of its own loop body, fork branch or chain, and of all enclosing ones. */
  readonly outputs: ReadonlyMap<string, unknown>;
  /** In loops: `item`, `index` and the iterator names. */
  readonly variables: ReadonlyMap<string, unknown>;
}

/** Roots of references; not allowed as names of steps and iterators. */
export const reservedNames: ReadonlySet<string> = new Set(["workflow", "steps", "item", "index"]);
