import { errorTable, ZoneError } from "@crosszone/contracts";
import type { LogFields } from "@crosszone/service-kit";
import { LinkError, linkErrorKinds } from "@crosszone/jsonrpc";
import { UnanswerableError } from "../inbox/endings.ts";
import { DeniedError } from "../policy/denials.ts";
import { SlackCallError, slackCallFailures } from "../slack/slack-call-error.ts";

/** Returns the log fields of an error: its kind, and its wire code if it has one. */
export function errorFields(error: unknown): { readonly kind: string; readonly code?: number | string } {
  if (error instanceof ZoneError) return { kind: error.kind, code: errorTable[error.kind].code };
  if (error instanceof LinkError) {
    const code = error.code ?? error.httpStatus;
    return { kind: `link_${error.kind}`, code };
  }
  if (error instanceof SlackCallError) return { kind: `slack_${error.failure}`, code: error.code };
  if (error instanceof UnanswerableError && error.cause !== undefined) return errorFields(error.cause);
  if (error instanceof DeniedError) return { kind: "denied", code: error.denial.reason };
  return { kind: "internal", code: errorTable.internal.code };
}

/** All kinds that `errorFields` can return, for metrics. */
export const errorKinds: readonly string[] = [
  ...Object.keys(errorTable),
  ...linkErrorKinds.map((kind) => `link_${kind}`),
  ...slackCallFailures.map((failure) => `slack_${failure}`),
  "denied",
];

/** Adds to an event's fields what its error says: of an `error` its kind and code, of a `failure` also the error as `cause`. */
export function withErrorFields({ error, failure, ...fields }: LogFields): LogFields {
  if (error === undefined && failure === undefined) return fields;
  return { ...errorFields(error ?? failure), ...(failure !== undefined && { cause: failure }), ...fields };
}
