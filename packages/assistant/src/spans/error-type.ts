import { ZoneError } from "@crosszone/contracts";
import { classifyError } from "../turn/classify-error.ts";

/**
 * Returns a span's error type: the reason of a stop, a zone error's kind, or the reason of a model failure. Never a
 * message. https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/
 */
export function errorTypeOf(error: unknown, signal: AbortSignal | undefined): string {
  const isStopped = signal?.aborted === true;
  const thrown: unknown = isStopped ? signal.reason : error;
  if (thrown instanceof ZoneError) return thrown.kind;
  return isStopped ? "canceled" : classifyError(thrown).reason;
}
