import { randomUUID } from "node:crypto";
import { errorTable, ZoneError, type ZoneMethods } from "@crosszone/contracts";
import { type Client, LinkError, linkErrorKinds } from "@crosszone/jsonrpc";
import type { Emit, LogFields } from "@crosszone/service-kit";
import { inSpan, type Tracer } from "@crosszone/service-kit/tracing";
import type { VerificationEvent } from "@crosszone/telemetry";
import { UnanswerableError } from "../inbox/record-ends.ts";
import { DeniedError } from "../policy/denials.ts";
import type { Judgment } from "../policy/policies.ts";
import type { JudgedRecord } from "../policy/rules.ts";
import type { SlackApi } from "../slack/slack-api.ts";
import { SlackCallError, slackCallFailures } from "../slack/slack-call-error.ts";

/** Slack's names of the methods behind the port. */
export const slackMethods: Readonly<Record<keyof SlackApi, string>> = {
  identity: "auth.test",
  appOf: "bots.info",
  post: "chat.postMessage",
  update: "chat.update",
  remove: "chat.delete",
  startStream: "chat.startStream",
  appendStream: "chat.appendStream",
  stopStream: "chat.stopStream",
  replies: "conversations.replies",
  conversations: "users.conversations",
  teams: "auth.teams.list",
  upload: "files.completeUploadExternal",
  fileInfo: "files.info",
  setSessionStatus: "agents.sessions.setStatus",
  team: "team.info",
  user: "users.info",
  channel: "conversations.info",
  tell: "chat.postEphemeral",
  permalink: "chat.getPermalink",
  openDirect: "conversations.open",
  groupMembers: "usergroups.users.list",
  groupHandles: "usergroups.list",
  openModal: "views.open",
  updateModal: "views.update",
  publishHome: "views.publish",
};

interface TraceCallsDeps {
  readonly tracer: Tracer;
  readonly emit: Emit<VerificationEvent>;
}

/** Returns a Slack API that reports each call, and gives it a span. */
export function traceSlack(slack: SlackApi, deps: TraceCallsDeps): SlackApi {
  const methods = Object.entries(slackMethods).map(([name, method]) => {
    const call = slack[name as keyof SlackApi] as (...given: readonly unknown[]) => Promise<unknown>;
    return [name, (...given: readonly unknown[]) => called(deps, method, () => call(...given))];
  });
  return Object.fromEntries(methods) as SlackApi;
}

async function called<Result>(
  { tracer, emit }: TraceCallsDeps,
  operation: string,
  call: () => Promise<Result>,
): Promise<Result> {
  const attributes = { "rpc.system.name": "slack", "rpc.method": operation };
  const span = tracer.start(operation, { kind: "client", attributes });
  const startedAt = performance.now();
  try {
    const result = await call();
    emit("slack_called", { operation, duration_ms: performance.now() - startedAt });
    span.end();
    return result;
  } catch (error) {
    // The caller logs what the failure means.
    emit("slack_called", { operation, duration_ms: performance.now() - startedAt, error });
    const { kind, code } = errorFields(error);
    span.end({ error: kind, attributes: { "rpc.status_code": code === undefined ? undefined : String(code) } });
    throw error;
  }
}

/**
 * Returns a client of execution that reports each call by its request id, correlation id, method and outcome. An error appears here only by
 * kind; the caller logs the details. Each call has a span, sent as `traceparent`. https://opentelemetry.io/docs/specs/semconv/rpc/json-rpc/
 */
export function traceZone(zone: Client<ZoneMethods>, { tracer, emit }: TraceCallsDeps): Client<ZoneMethods> {
  return {
    call: async (method, params, options = {}) => {
      const { id = randomUUID(), correlationId } = options;
      const span = tracer.start(method, {
        kind: "client",
        traceparent: options.traceparent,
        attributes: {
          "rpc.system.name": "jsonrpc",
          "rpc.method": method,
          "jsonrpc.protocol.version": "2.0",
          "jsonrpc.request.id": id,
          "crosszone.correlation_id": correlationId,
        },
      });
      const { traceparent } = span;
      const startedAt = performance.now();
      const answered = (outcome: string, code?: number | string): void => {
        const ids = { correlation_id: correlationId, request_id: id, operation: method, traceparent };
        emit("rpc_answered", { ...ids, outcome, code, duration_ms: performance.now() - startedAt });
        span.end({
          error: outcome === "success" ? undefined : outcome,
          attributes: { "rpc.status_code": code === undefined ? undefined : String(code) },
        });
      };
      try {
        const result = await zone.call(method, params, {
          ...options,
          id,
          traceparent: traceparent ?? options.traceparent,
        });
        answered("success");
        return result;
      } catch (error) {
        const { kind, code } = errorFields(error);
        answered(kind, code);
        throw error;
      }
    },
  };
}

/** Runs work on a record or a command in a span. Its parent is the span that received the event or the command, maybe in another process. */
export function traceWork<Result>(
  tracer: Tracer,
  { kind, request_id, correlation_id, traceparent, attempt }: JudgedRecord & { readonly attempt?: number },
  work: () => Promise<Result>,
): Promise<Result> {
  const isCommand = kind === "command";
  const span = tracer.start(isCommand ? "process slack.command" : `process ${kind}`, {
    kind: "consumer",
    traceparent,
    attributes: {
      "messaging.system.name": "slack",
      "messaging.destination.name": isCommand ? "slack.commands" : "slack.events",
      "messaging.operation.name": "process",
      "messaging.operation.type": "process",
      "messaging.message.conversation_id": correlation_id,
      "crosszone.request_id": request_id,
      "crosszone.attempt": attempt,
    },
  });
  return inSpan(span, work, errorFields);
}

/** Runs a judgment in a span. The Slack calls of its rules are its children. A failed rule is an error, a denial is not. */
export async function traceJudgment(tracer: Tracer, judge: () => Promise<Judgment>): Promise<Judgment> {
  const span = tracer.start("judge policy", { kind: "internal" });
  const judgment = await span.run(judge);
  const last = judgment.verdicts.at(-1);
  const { denial } = judgment;
  span.end({
    error: last?.verdict === "failed" ? "policy_failed" : undefined,
    attributes: {
      "crosszone.policy.verdict": denial === undefined ? "allowed" : "denied",
      "crosszone.policy.reason": denial?.reason,
      "crosszone.policy.rule": denial && last?.rule,
    },
  });
  return judgment;
}

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
  return { ...errorFields(error ?? failure), cause: failure, ...fields };
}
