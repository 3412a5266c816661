import { inSpan, type Tracer } from "@crosszone/service-kit/tracing";
import type { ObservedRecord } from "../inbox/inbox-work.ts";
import type { Judgment } from "../policy/policies.ts";
import { errorFields } from "./error-fields.ts";

/** A record or a command that is processed. */
type TracedWork = Omit<ObservedRecord["record"], "kind"> & { readonly kind: string; readonly attempt?: number };

/** Runs work in a span. Its parent is the span that received the event or the command, maybe in another process. */
export function traceWork<Result>(
  tracer: Tracer,
  { kind, request_id, correlation_id, traceparent, attempt }: TracedWork,
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
