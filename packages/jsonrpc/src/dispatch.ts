import { type ErrorKind, type JsonRpcId, ZoneError } from "@crosszone/contracts";
import { type ErrorToJson, type Failure, failureText, successText, toFailure } from "./transport.ts";
import {
  bindHandlers,
  type Call,
  type Handlers,
  correlationOf,
  type MethodMap,
  type MethodValidators,
} from "./handlers.ts";
import {
  type IncomingEntry,
  type IncomingNotification,
  type IncomingRequest,
  type InvalidMessage,
  parse,
  type ParseLimits,
} from "./parse.ts";

/** The outcome of one request or notification, for logs and metrics. Each entry of a batch has its own. */
export interface Outcome {
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
export interface DispatchContext {
  /** For calls without their own. */
  readonly correlationId: string;
}

export interface DispatcherOptions<M extends MethodMap<M>, Context extends DispatchContext> {
  readonly methods: MethodValidators<M>;
  readonly handlers: Handlers<M, Context>;
  /** `refuse` answers any batch with one `invalid_request`. */
  readonly batches: "answer" | "refuse";
  /** Returns the public error object of a thrown value. Must not throw. */
  readonly errorToJson: ErrorToJson;
  /** Returns what an error of a handler is to callers and in the outcome. Default: itself. */
  readonly errorOf?: (error: unknown) => unknown;
  readonly limits?: ParseLimits;
  /** Called once for every request, to log and count. Must not throw. */
  readonly onOutcome?: (outcome: Outcome, context: Context) => void;
}

/** Handles one message. Resolves with the response text, or undefined if there is none. Never rejects. */
export type Dispatch<Context> = (message: Uint8Array, context: Context) => Promise<string | undefined>;

/** A call, or an invalid message, which has no method. */
type Reported = Call | { readonly method: undefined; readonly id: null; readonly correlationId: string };

/** A message being handled. */
interface Delivery<Context> {
  readonly context: Context;
  readonly bytesIn: number;
  readonly startedAt: number;
}

const refusedBatch: InvalidMessage = { type: "invalid", kind: "invalid_request", reason: "the message is a batch" };

/**
 * Creates a JSON-RPC 2.0 server without a network. Entries of a batch run concurrently. A notification never gets a response, even if it
 * fails. Every error goes through `errorToJson`. https://www.jsonrpc.org/specification#response_object
 */
export function createDispatcher<M extends MethodMap<M>, Context extends DispatchContext>(
  options: DispatcherOptions<M, Context>,
): Dispatch<Context> {
  const { batches, errorToJson, errorOf = (error) => error, limits, onOutcome } = options;
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
      failure = toFailure(errorOf(error), call.correlationId, errorToJson);
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
    const error = new ZoneError(kind, { problems });
    const failure = toFailure(error, correlationId, errorToJson);
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
