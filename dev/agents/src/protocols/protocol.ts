/** The protocol of a sample agent: JSON in, JSON out. One interface for all, so that faults are independent of the protocol. */
export interface Protocol {
  /** Returns the id that identifies a repeated request; empty if it has none. */
  readonly idOf: (body: unknown) => string;
  /** Returns the response. With `asTask`, a long-running task, where the protocol has tasks. */
  readonly answer: (body: unknown, options: { readonly asTask: boolean }) => object;
  /** Returns an error response. */
  readonly refuse: (body: unknown, why: string) => object;
  /** The member of a response that repeats the request's id. */
  readonly idMember: "id" | "task_id";
}

/** Returns a text member; empty if it is not a text. */
export function textMember(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : "";
}

/** Returns a member of any value; undefined if it is not an object with that member. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
