import { isJsonRpcResponse, type JsonRpcResponse, problemsOf, ZoneError } from "@crosszone/contracts";
import { parseExactJson } from "@crosszone/contracts/json";
import { correlationOf, invalidResult, type MethodMap, type MethodValidators } from "./dispatch.ts";
import { errorFromJson, LinkError } from "./error-json.ts";
import { encodeUtf8, type IncomingNotification, parse } from "./parse.ts";
import type { Transport } from "./transport.ts";

export interface CallOptions {
  /** The request id. Default: a new one. Sending the same id again repeats the request instead of starting new work. */
  readonly id?: string;
  readonly signal?: AbortSignal;
  /** Milliseconds. Default: the client's own. */
  readonly timeoutMs?: number;
  /** Must be the same for every call about one task. Default: the request id. */
  readonly session?: string;
  /** Default: `params.correlation_id`, otherwise the request id. */
  readonly correlationId?: string;
  /** Sent unchanged, for tracing. https://www.w3.org/TR/trace-context/#traceparent-header */
  readonly traceparent?: string;
  /** Receives each well-formed notification before the response. */
  readonly onProgress?: (notification: IncomingNotification) => void;
}

export interface Client<M extends MethodMap<M>> {
  /**
   * Calls a method once; never retries. Rejects with a `ZoneError` for the server's errors, and for invalid parameters, which are not sent.
   * Rejects with a `LinkError` for transport failures.
   */
  readonly call: <K extends keyof M & string>(
    method: K,
    params: M[K]["params"],
    options?: CallOptions,
  ) => Promise<M[K]["result"]>;
}

export interface ClientOptions<M extends MethodMap<M>> {
  readonly methods: MethodValidators<M>;
  readonly transport: Transport;
  /** Timeout of a call, milliseconds. */
  readonly timeoutMs: number;
}

/** Creates a typed JSON-RPC 2.0 client on a transport. It validates params and results. */
export function createClient<M extends MethodMap<M>>({ methods, transport, timeoutMs }: ClientOptions<M>): Client<M> {
  return {
    call: async (method, params, options = {}) => {
      const validators = methods[method];
      if (validators.params !== undefined && !validators.params(params))
        throw new ZoneError("invalid_params", { problems: problemsOf(validators.params, params) });
      const { id = crypto.randomUUID(), signal, onProgress } = options;
      const message = toMessage(method, params, id);
      if (signal?.aborted) throw new LinkError("aborted", "the call was aborted", { cause: signal.reason });
      const answer = await transport.send(message, {
        signal,
        timeoutMs: options.timeoutMs ?? timeoutMs,
        session: options.session ?? id,
        correlationId: options.correlationId ?? correlationOf(params, id),
        traceparent: options.traceparent,
        onNotification: onProgress && ((bytes) => passOn(bytes, onProgress)),
      });
      const result = readAnswer(answer, id);
      if (validators.result !== undefined && !validators.result(result))
        throw new LinkError("invalid_response", invalidResult(method, problemsOf(validators.result, result)));
      return result;
    },
  };
}

function toMessage(method: string, params: unknown, id: string): Uint8Array {
  try {
    return encodeUtf8(JSON.stringify({ jsonrpc: "2.0", method, params, id }));
  } catch (cause) {
    throw new ZoneError(
      "invalid_params",
      { problems: [{ pointer: "", message: "cannot be written as JSON" }] },
      { cause },
    );
  }
}

function passOn(message: Uint8Array, onProgress: (notification: IncomingNotification) => void): void {
  const incoming = parse(message);
  if (incoming.type === "notification" && incoming.notification.problems === undefined)
    onProgress(incoming.notification);
}

/**
 * Reads the response to the request `id` and returns its result. Throws the error of `errorFromJson` for an error response, and a
 * `LinkError` `invalid_response` for anything else. An error may have the id null, if the server could not read the request.
 * https://www.jsonrpc.org/specification#response_object
 */
function readAnswer(bytes: Uint8Array, id: string): unknown {
  const answer = readResponse(bytes);
  if (answer.id !== id && !("error" in answer && answer.id === null))
    throw new LinkError("invalid_response", "the answer has the id of another request");
  if ("error" in answer) throw errorFromJson(answer.error);
  return answer.result;
}

/** Levels of nested arrays and objects of a response: an answer of an agent has up to 128. */
const mostLevels = 256;

/** Parses a response object. Throws a `LinkError` `invalid_response` for anything else. */
export function readResponse(bytes: Uint8Array): JsonRpcResponse {
  let answer: unknown;
  try {
    answer = parseExactJson(bytes, { maxDepth: mostLevels });
  } catch (cause) {
    throw new LinkError("invalid_response", `the answer ${(cause as Error).message}`, { cause });
  }
  if (isJsonRpcResponse(answer)) return answer;
  throw new LinkError("invalid_response", "the answer is not a JSON-RPC 2.0 response");
}
