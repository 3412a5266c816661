import {
  type JsonRpcId,
  problemsOf,
  type Validator,
  ZoneError,
  isCorrelationId,
  type ParamProblem,
} from "@crosszone/contracts";
import { ownMember } from "./json.ts";
import type { IncomingParams } from "./parse.ts";

/** Information about a call besides its parameters. */
export interface Call {
  readonly method: string;
  /** Undefined in a notification. */
  readonly id: JsonRpcId | undefined;
  /** The caller's if valid, otherwise the context's. */
  readonly correlationId: string;
}

/**
 * The handler of each method. If the method has a validator, the handler gets valid parameters, `{}` if the caller sent none. Nulls that
 * made them invalid are removed.
 */
export type Handlers<M extends MethodMap<M>, Context> = {
  readonly [K in keyof M]: (
    params: M[K]["params"],
    context: Context,
    call: Call,
  ) => M[K]["result"] | Promise<M[K]["result"]>;
};

/**
 * Combines validators and handlers to a function that calls a method by name and returns its result. It rejects with a `ZoneError`, and with
 * errors of the handler. Only own members of `handlers` are methods, so `toString` is not one. Throws a `TypeError` for a name
 * that begins with `rpc.`, which the specification reserves.
 */
export function bindHandlers<M extends MethodMap<M>, Context>(
  validators: MethodValidators<M>,
  handlers: Handlers<M, Context>,
): (params: IncomingParams, context: Context, call: Call) => Promise<unknown> {
  const reserved = Object.keys(handlers).find((name) => name.startsWith("rpc."));
  if (reserved !== undefined) throw new TypeError(`the method name ${reserved} is reserved by JSON-RPC 2.0`);

  return async (sent, context, call) => {
    if (!Object.hasOwn(handlers, call.method)) throw new ZoneError("method_not_found");
    const name = call.method as keyof M;
    const { params: areParams, result: isResult } = validators[name];
    const params = areParams === undefined ? sent : validParams(areParams, sent ?? {});
    const result = await handlers[name](params, context, call);
    if (isResult !== undefined && !isResult(result))
      throw new TypeError(invalidResult(call.method, problemsOf(isResult, result)));
    return result;
  };
}

/**
 * Returns valid parameters. Removes null members if that makes the parameters valid, because many clients send null for an absent member.
 * Throws `invalid_params` with the problems of the sent parameters.
 */
function validParams(isValid: Validator<unknown>, sent: unknown): unknown {
  if (isValid(sent)) return sent;
  const problems = problemsOf(isValid, sent);
  const params = withoutNulls(sent);
  if (!isValid(params)) throw new ZoneError("invalid_params", { problems });
  return params;
}

/** Returns a copy without null members, at any depth. Null items of arrays are kept. */
function withoutNulls(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(withoutNulls);
  const members = Object.entries(value).filter(([, member]) => member !== null);
  return Object.fromEntries(members.map(([name, member]) => [name, withoutNulls(member)]));
}

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
