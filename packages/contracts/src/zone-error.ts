import { errorTable } from "./generated/errors.ts";
import type { ErrorKind, ZoneErrorData, ParamProblem } from "./generated/types.ts";
import { pointerStep } from "./json.ts";
import type { ValidationFailure } from "./keywords.ts";
import type { Validator } from "./validator.ts";

/** Details of an error besides its kind. They go on the wire, so they must contain nothing internal. */
export type ZoneErrorDetail = Partial<
  Pick<
    ZoneErrorData,
    | "correlation_id"
    | "task_id"
    | "actor"
    | "agent"
    | "retry_after_ms"
    | "problems"
    | "progress"
    | "failed_run"
    | "agent_says"
    | "owner_detail"
  >
>;

/**
 * The error that domain code throws: a kind of the error catalog and public details. It is independent of the protocol; each wire surface
 * maps kinds to its codes. `cause` is for the log and never leaves the process.
 */
export class ZoneError extends Error {
  override readonly name = "ZoneError";
  readonly kind: ErrorKind;
  readonly data: ZoneErrorDetail;

  constructor(kind: ErrorKind, data: ZoneErrorDetail = {}, options: { cause?: unknown } = {}) {
    super(errorTable[kind].title, options);
    this.kind = kind;
    this.data = data;
  }

  /** Whether the same request can be sent again. */
  get retryable(): boolean {
    return errorTable[this.kind].retryable;
  }
}

/** A hostile body could cause hundreds of thousands. */
const maxProblems = 20;

/**
 * Returns the problems of a value, each with the JSON pointer (RFC 6901) of the missing or wrong member. Empty when the value is valid; at
 * most 20.
 */
export function problemsOf(validator: Validator<unknown>, value: unknown): ParamProblem[] {
  return validator(value) ? [] : (validator.errors ?? []).slice(0, maxProblems).map(toProblem);
}

function toProblem({ instancePath, keyword, params, message }: ValidationFailure): ParamProblem {
  if (keyword === "required")
    return { pointer: `${instancePath}${pointerStep(params["missingProperty"])}`, message: "is missing" };
  if (keyword === "additionalProperties")
    return { pointer: `${instancePath}${pointerStep(params["additionalProperty"])}`, message: "is not a known member" };
  if (keyword === "enum")
    return { pointer: instancePath, message: `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}` };
  if (keyword === "const")
    return { pointer: instancePath, message: `must be ${JSON.stringify(params["allowedValue"])}` };
  if (keyword === "type") return { pointer: instancePath, message: `must be ${[params["type"]].flat().join(" or ")}` };
  if ((keyword === "minLength" || keyword === "minItems") && params["limit"] === 1)
    return { pointer: instancePath, message: "is empty" };
  if (keyword === "discriminator")
    return { pointer: `${instancePath}${pointerStep(params["tag"])}`, message: "is missing or names nothing known" };
  return { pointer: instancePath, message: message ?? `fails ${keyword}` };
}
