import type { ParamProblem } from "./generated/types.ts";
import type { ValidationFailure } from "./validator/check.ts";
import type { Validator } from "./validator/validator.ts";

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
    return { pointer: `${instancePath}/${escape(params["missingProperty"])}`, message: "is missing" };
  if (keyword === "additionalProperties")
    return { pointer: `${instancePath}/${escape(params["additionalProperty"])}`, message: "is not a known member" };
  if (keyword === "enum")
    return { pointer: instancePath, message: `must be one of ${(params["allowedValues"] as unknown[]).join(", ")}` };
  if (keyword === "const")
    return { pointer: instancePath, message: `must be ${JSON.stringify(params["allowedValue"])}` };
  if (keyword === "type") return { pointer: instancePath, message: `must be ${[params["type"]].flat().join(" or ")}` };
  if ((keyword === "minLength" || keyword === "minItems") && params["limit"] === 1)
    return { pointer: instancePath, message: "is empty" };
  if (keyword === "discriminator")
    return { pointer: `${instancePath}/${escape(params["tag"])}`, message: "is missing or names nothing known" };
  return { pointer: instancePath, message: message ?? `fails ${keyword}` };
}

function escape(member: unknown): string {
  return String(member).replaceAll("~", "~0").replaceAll("/", "~1");
}
