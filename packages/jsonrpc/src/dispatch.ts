import {
  type ErrorKind,
  isCorrelationId,
  type JsonRpcId,
  type ParamProblem,
  problemsOf,
  type Validator,
  ZoneError,
} from "@crosszone/contracts";
import {
  type IncomingEntry,
  type IncomingNotification,
  type IncomingParams,
  type IncomingRequest,
  type InvalidMessage,
  ownProperty,
  parse,
  type ParseLimits,
} from "./parse.ts";
import { type Failure, failureText, successText, toFailure } from "./transport.ts";

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
export type MethodHandlers<M extends MethodMap<M>, Context> = {
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
function bindHandlers<M extends MethodMap<M>, Context>(
  validators: MethodValidators<M>,
  handlers: MethodHandlers<M, Context>,
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
  const own = ownProperty(params, "correlation_id");
  return isCorrelationId(own) ? own : otherwise;
}

/** Returns why a method's result breaks the contract, for a log. Names only members, so it contains nothing of the result. */
export function invalidResult(method: string, problems: readonly ParamProblem[]): string {
  const list = problems.map(({ pointer, message }) => `${pointer || "it"} ${message}`);
  return `the result of ${method} is invalid: ${list.join(", ")}`;
}

/** The outcome of one request or notification, for logs and metrics. Each entry of a batch has its own. */
export interface DispatchOutcome {
  /** Undefined for an invalid message. */
  readonly method: string | undefined;
  /** Undefined for a notification. */
  readonly id: JsonRpcId | undefined;
  readonly correlationId: string;
  /** Time since the message arrived. */
  readonly durationMs: number;
  /** Size of the whole message, bytes. */
  readonly bytesIn: number;
  /** The thrown value. It can contain details that the response does not, also in its `cause`. */
  readonly error: unknown;
  /** The error code of the response. Undefined on success. */
  readonly code: number | undefined;
  /** The error kind; `internal` for anything but a `ZoneError`. Undefined on success. */
  readonly kind: ErrorKind | undefined;
}

/** The context of a message, passed to each handler. */
interface DispatchContext {
  /** For calls without their own. */
  readonly correlationId: string;
}

export interface DispatcherOptions<M extends MethodMap<M>, Context extends DispatchContext> {
  readonly methods: MethodValidators<M>;
  readonly handlers: MethodHandlers<M, Context>;
  /** `refuse` answers any batch with one `invalid_request`. */
  readonly batches: "answer" | "refuse";
  /** Returns what an error of a handler is to callers and in the outcome. Default: itself. */
  readonly errorOf?: (error: unknown) => unknown;
  readonly limits?: ParseLimits;
  /** Called once for every request, to log and count. Must not throw. */
  readonly onOutcome?: (outcome: DispatchOutcome, context: Context) => void;
}

/** Handles one message. Resolves with the response text, or undefined if there is none. Never rejects. */
export type Dispatch<Context> = (message: Uint8Array, context: Context) => Promise<string | undefined>;

/** A call, or an invalid message, which has no method. */
type Reported = Call | { readonly method: undefined; readonly id: null; readonly correlationId: string };

interface Delivery<Context> {
  readonly context: Context;
  readonly bytesIn: number;
  readonly startedAt: number;
}

const refusedBatch: InvalidMessage = { type: "invalid", kind: "invalid_request", reason: "the message is a batch" };

/**
 * Creates a JSON-RPC 2.0 server without a network. Entries of a batch run concurrently. A notification never gets a response, even if it
 * fails. Errors are those of the error catalog. https://www.jsonrpc.org/specification#response_object
 */
export function createDispatcher<M extends MethodMap<M>, Context extends DispatchContext>(
  options: DispatcherOptions<M, Context>,
): Dispatch<Context> {
  const { batches, errorOf = (error) => error, limits, onOutcome } = options;
  const callMethod = bindHandlers(options.methods, options.handlers);

  async function run(
    { method, params, problems, id, idText }: IncomingRequest | IncomingNotification,
    delivery: Delivery<Context>,
  ): Promise<string | undefined> {
    const call: Call = { method, id, correlationId: correlationOf(params, delivery.context.correlationId) };
    let text: string | undefined;
    let failure: Failure | undefined;
    try {
      if (problems !== undefined) throw new ZoneError("invalid_params", { problems });
      const result = await callMethod(params, delivery.context, call);
      if (idText !== undefined) text = successText(result, idText);
    } catch (error) {
      failure = toFailure(errorOf(error), call.correlationId);
      if (idText !== undefined) text = failureText(failure, idText);
    }
    report(call, failure, delivery);
    return text;
  }

  function refuse(
    { kind, reason, problems = [{ pointer: "", message: reason }] }: InvalidMessage,
    delivery: Delivery<Context>,
  ): string {
    const { correlationId } = delivery.context;
    const failure = toFailure(new ZoneError(kind, { problems }), correlationId);
    report({ method: undefined, id: null, correlationId }, failure, delivery);
    return failureText(failure, "null");
  }

  function report(
    { method, id, correlationId }: Reported,
    failure: Failure | undefined,
    { context, bytesIn, startedAt }: Delivery<Context>,
  ): void {
    if (onOutcome === undefined) return;
    const durationMs = performance.now() - startedAt;
    const { error, code, kind } = failure ?? { error: undefined, code: undefined, kind: undefined };
    onOutcome({ method, id, correlationId, durationMs, bytesIn, error, code, kind }, context);
  }

  async function answer(entry: IncomingEntry, delivery: Delivery<Context>): Promise<string | undefined> {
    if (entry.type === "invalid") return refuse(entry, delivery);
    return run(entry.type === "request" ? entry.request : entry.notification, delivery);
  }

  return async (message, context) => {
    const delivery = { context, bytesIn: message.byteLength, startedAt: performance.now() };
    const incoming = parse(message, limits);
    if (incoming.type !== "batch") return answer(incoming, delivery);
    if (batches === "refuse") return refuse(refusedBatch, delivery);
    const answers = await Promise.all(incoming.items.map((item) => answer(item, delivery)));
    const texts = answers.filter((text) => text !== undefined);
    return texts.length === 0 ? undefined : `[${texts.join(",")}]`;
  };
}
