/** What a sample agent says in its protocol: JSON in, JSON out. The same for each, so that faults need to know none of them. */
export interface Protocol {
  /** The id by which a request is known when it comes again; empty when there is none. */
  readonly idOf: (body: unknown) => string;
  /** Answers a request. With `asTask`, as something that takes its time, where the protocol has that. */
  readonly answer: (body: unknown, options: { readonly asTask: boolean }) => object;
  /** Says that the request failed. */
  readonly refuse: (body: unknown, why: string) => object;
  /** The member of an answer that repeats the id of its request. */
  readonly idMember: "id" | "task_id";
}

/** A member that is text; empty when it is something else. */
export function textMember(value: unknown, name: string): string {
  const member = memberOf(value, name);
  return typeof member === "string" ? member : "";
}

/** A member of a JSON object, for what may be anything. */
export function memberOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && Object.hasOwn(value, name)
    ? (value as Record<string, unknown>)[name]
    : undefined;
}
