import { ZoneError } from "@crosszone/contracts";
import { classifyError } from "../turn/classify-error.ts";

/**
 * What a span says of an error: why the turn was stopped, the kind of a zone's error, or the reason why the model failed. Never a text.
 * https://opentelemetry.io/docs/specs/semconv/registry/attributes/error/
 */
export function errorTypeOf(error: unknown, signal: AbortSignal | undefined): string {
  const isStopped = signal?.aborted === true;
  const thrown: unknown = isStopped ? signal.reason : error;
  if (thrown instanceof ZoneError) return thrown.kind;
  return isStopped ? "canceled" : classifyError(thrown).reason;
}
