/** A plan that no run can follow. The validator prevents such plans; if one is stored anyway, its runs fail with this message. */
export class PlanFault extends Error {
  override readonly name = "PlanFault";
}

/** Why an expression of a definition could not be evaluated. The message names references and members, never values. */
export class WorkflowFault extends Error {
  readonly kind: "mapping_failed" | "condition_failed" | "collection_invalid";
  /** Position in the mapping, a JSON pointer (RFC 6901); empty for the whole. */
  readonly pointer: string;

  constructor(kind: WorkflowFault["kind"], message: string, pointer = "") {
    super(message);
    this.name = "WorkflowFault";
    this.kind = kind;
    this.pointer = pointer;
  }
}
