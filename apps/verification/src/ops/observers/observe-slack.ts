import { createRedMetrics } from "@crosszone/service-kit";
import { slackMethods, type SlackObserver } from "../../slack/observed-slack.ts";
import { errorFields, slackErrorKinds } from "./error-fields.ts";
import type { ObserverDeps } from "./observer-deps.ts";

/**
 * Makes the observer of Slack calls: it counts and times each call and gives it a span. Failed calls are logged at debug level, because the
 * caller logs what the failure means.
 */
export function observeSlack({ logger, registry, tracer }: ObserverDeps): SlackObserver {
  const calls = createRedMetrics(registry, {
    name: "slack_api",
    labels: { method: Object.values(slackMethods) },
    outcomes: ["success", ...slackErrorKinds],
  });
  return {
    called: async (method, call) => {
      const attributes = { "rpc.system.name": "slack", "rpc.method": method };
      const span = tracer.start(method, { kind: "client", attributes });
      const startedAt = performance.now();
      const record = (outcome: string): void =>
        calls.record({ labels: { method }, outcome, durationMs: performance.now() - startedAt });
      try {
        const result = await call();
        record("success");
        span.end();
        return result;
      } catch (error) {
        const { kind, code } = errorFields(error);
        record(kind);
        span.end({ error: kind, attributes: { "rpc.status_code": code === undefined ? undefined : String(code) } });
        logger.debug("slack_call_failed", { operation: method, kind, code });
        throw error;
      }
    },
  };
}
