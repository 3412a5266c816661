import { isCorrelationId, type ParamProblem, type Validator } from "@crosszone/contracts";
import { ownMember } from "./json.ts";

/** Constraint of a method map, an interface such as `ZoneMethods`: method name → params and result. */
export type MethodMap<M> = { [K in keyof M]: { params: unknown; result: unknown } };

/** The validators of each method, such as `zoneMethods`. Methods without a validator are not checked. */
export type MethodValidators<M extends MethodMap<M>> = {
  readonly [K in keyof M]: {
    readonly params?: Validator<M[K]["params"]>;
    readonly result?: Validator<M[K]["result"]>;
  };
};

/** Returns the correlation id of a call: a valid `params.correlation_id` of the caller, otherwise `otherwise`. */
export function correlationOf(params: unknown, otherwise: string): string {
  const own = ownMember(params, "correlation_id");
  return isCorrelationId(own) ? own : otherwise;
}

/** Returns why a method's result breaks the contract, for a log. Names only members, so it contains nothing of the result. */
export function invalidResult(method: string, problems: readonly ParamProblem[]): string {
  const list = problems.map(({ pointer, message }) => `${pointer || "it"} ${message}`);
  return `the result of ${method} is invalid: ${list.join(", ")}`;
}
