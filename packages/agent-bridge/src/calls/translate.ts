import type { AgentErrorKind, AgentTask } from "@crosszone/contracts";
import type { AgentExchange, AgentOperation } from "../events/agent-events.ts";
import { ProtocolTranslationError, type TranslationDirection } from "../protocol/agent-failure.ts";
import { hitlUri } from "../protocol/hitl-extension.ts";
import type { AgentReply, Reading } from "../protocol/protocol-adapter.ts";
import type { CallRequest, OpenCall } from "./open-call.ts";

/** Creates the body of a request, JSON text, and reports it. Throws a `ProtocolTranslationError`. */
export function writeBody(call: OpenCall, operation: AgentOperation, make: () => unknown): string {
  const exchange = measure(call, operation);
  try {
    const request = make();
    const body = JSON.stringify(request) as string | undefined;
    if (body === undefined) throw new TypeError(`the adapter ${call.adapter.protocol} has no request for ${operation}`);
    call.emit("protocol_request_translation", { ...call.ids, ...exchange(), request });
    return body;
  } catch (cause) {
    const translated = { direction: "request", originalData: call.task } as const;
    throw reported(call, exchange(), asTranslationError(cause, call, translated));
  }
}

/** Reads a reply, or an event with the stream's reader, and reports it. Throws a `ProtocolTranslationError`. */
export function readReply(
  call: OpenCall,
  { operation, read }: { readonly operation: AgentOperation; readonly read?: CallRequest["read"] },
  reply: AgentReply,
): Reading {
  const exchange = measure(call, operation);
  try {
    const reading = read === undefined ? call.adapter.fromResponse(reply, call.task) : read(reply);
    const { warnings, extractionError } = reading;
    const fields = { ...call.ids, ...exchange(), status: reply.status, bytes: reply.body.byteLength };
    call.emit("protocol_response_translation", { ...fields, response: textOf(reply), warnings });
    if (warnings.length > 0) call.emit("protocol_response_odd", { ...fields, warnings });
    if (extractionError !== undefined) reported(call, exchange(), extractionError);
    return reading;
  } catch (cause) {
    const translated = { direction: "response", originalData: textOf(reply) } as const;
    throw reported(call, exchange(), asTranslationError(cause, call, translated));
  }
}

/** The beginning of a reply. The logger shortens it further, and redacts secrets. */
const textOf = ({ body }: AgentReply): string => new TextDecoder().decode(body.subarray(0, 16_384));

function measure(call: OpenCall, operation: AgentOperation): () => AgentExchange {
  const startedAt = performance.now();
  return () => ({ operation, attempt: call.attempts, duration_ms: performance.now() - startedAt });
}

function reported(call: OpenCall, exchange: AgentExchange, error: ProtocolTranslationError): ProtocolTranslationError {
  const { kind, direction, message: because, originalData: data, cause } = error;
  call.emit("protocol_translation_error", { ...call.ids, ...exchange, kind, direction, because, data, cause });
  return error;
}

/** Adapters throw nothing else. An error from a faulty adapter fails the task, too. */
function asTranslationError(
  cause: unknown,
  call: OpenCall,
  { direction, originalData }: { readonly direction: TranslationDirection; readonly originalData: unknown },
): ProtocolTranslationError {
  if (cause instanceof ProtocolTranslationError) return cause;
  const kind: AgentErrorKind = direction === "request" ? "invalid_task" : "internal";
  const message = `The ${direction} could not be translated by the adapter ${call.adapter.protocol}.`;
  return new ProtocolTranslationError(kind, message, { protocol: call.ids.protocol, direction, originalData, cause });
}

/**
 * Returns the headers of a task's request: `X-Correlation-ID`, `traceparent` and `X-Crosszone-Hops` always, that of the extension by which agents ask people, and `Idempotency-Key` from run
 * and task for a request that starts the task, including retries. Polls have no key: a server that caches answers by
 * key would repeat its first answer. Ids can have any characters; those invalid in a header are percent-encoded.
 * https://datatracker.ietf.org/doc/draft-ietf-httpapi-idempotency-key-header/, https://www.w3.org/TR/trace-context/
 */
export function callHeaders(
  { task, options, adapter, asksPeople }: OpenCall,
  operation: AgentOperation,
): Readonly<Record<string, string>> {
  const headers: Record<string, string> = { ...adapter.headers, "x-correlation-id": headerText(task.correlation_id) };
  if (asksPeople) for (const name of adapter.extensionHeaders ?? []) headers[name] = hitlUri;
  if (operation === "send") headers["idempotency-key"] = idempotencyKey(task);
  headers[hopsHeader] = String(options.hops ?? 1);
  if (options.traceparent !== undefined) headers["traceparent"] = options.traceparent;
  return headers;
}

/** How often a question was passed on, so that zones that ask each other in a loop notice it. */
export const hopsHeader = "x-crosszone-hops";

function idempotencyKey({ run_id, task_id }: AgentTask): string {
  return `${encodeURIComponent(run_id.toWellFormed())}/${encodeURIComponent(task_id.toWellFormed())}`;
}

/** Keeps visible ASCII and encodes everything else. */
function headerText(text: string): string {
  return /^[!-~]+$/.test(text) ? text : encodeURIComponent(text.toWellFormed());
}

/** Returns whether the task still waits with the question that this call answers, because the agent has not read the message yet. */
export function isStill(answered: string | undefined, { questionId }: Reading): boolean {
  return answered !== undefined && questionId === answered;
}
