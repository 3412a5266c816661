import { createTokenBuckets, type TokenBuckets } from "@crosszone/service-kit";
import { systemClock } from "@crosszone/service-kit/timing";
import type { Adapters } from "../adapters/adapters.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { createDiscovery } from "../discovery/create-discovery.ts";
import { omittedFiles } from "../protocol/read-card.ts";
import { failedFields } from "../events/agent-events.ts";
import { AgentFailure, asFailure, ProtocolTranslationError } from "../protocol/agent-failure.ts";
import type { NormalizedResult } from "../protocol/protocol-adapter.ts";
import type { AgentCaller, CallEnd, CallParts, OpenCall } from "./agent-caller.ts";
import { stopAtAgent } from "./follow-task.ts";
import type { CallTime } from "./pauses.ts";
import { openCall, runCall } from "./run-call.ts";

/** Dependencies of an agent caller. */
export interface AgentCallerDeps extends Omit<CallParts, "time"> {
  readonly adapters: Pick<Adapters, "adapterOf">;
  readonly client: Pick<AgentClient, "post" | "stream" | "fetchCard">;
  /** A rate limit of retries, by agent name; 50 at once and ten a second when absent. Retries wait for a token. */
  readonly retryTokens?: TokenBuckets;
  readonly time?: CallTime;
}

const realTime: CallTime = { ...systemClock, random: Math.random };

/** Creates the caller. It sends a task to an agent, retries temporary failures, and follows the task until it ends. */
export function createAgentCaller({ adapters, retryTokens, time = realTime, ...parts }: AgentCallerDeps): AgentCaller {
  const tokens = retryTokens ?? createTokenBuckets({ capacity: 50, perMinute: 600 });
  const discovery = createDiscovery({ client: parts.client, adapters, now: time.now });
  const { emit } = parts;

  return {
    call: async (task, agent, options) => {
      const startedAt = performance.now();
      const { run_id, task_id, agent_name, correlation_id } = task;
      const { traceparent, remoteId } = options;
      const ids = { run_id, task_id, agent_name, correlation_id, traceparent, protocol: agent.protocol };
      let call: OpenCall | undefined;
      const effort = () => ({
        ...(call?.ids ?? ids),
        attempt: call?.attempts ?? 0,
        duration_ms: performance.now() - startedAt,
      });
      const end = ({ output, error }: NormalizedResult): CallEnd => {
        const fields = effort();
        if (error === null) emit("agent_call_ended", { ...fields, status: "success", output });
        // Already reported, with the response.
        else if (error instanceof ProtocolTranslationError)
          emit("agent_call_ended", { ...fields, status: "error", kind: error.kind });
        else emit("agent_call_failed", { ...fields, ...failedFields(error) });
        const filesLeftOut = call === undefined ? [] : omittedFiles(task, call.task);
        const attempts = fields.attempt;
        return { output, failure: error ?? undefined, attempts, ...(filesLeftOut.length > 0 && { filesLeftOut }) };
      };
      try {
        call = await openCall({ ...parts, time, ids, task, agent, options, attempts: 0, remoteId }, discovery);
        const result = await runCall(call, { discovery, tokens, isAuto: agent.protocol === "auto" });
        if (result.error?.kind === "deadline_exceeded") void stopAtAgent(call);
        return end(result);
      } catch (reason) {
        if (call === undefined && !options.signal.aborted)
          return end({ task_id, status: "error", output: null, error: asFailure(reason) });
        if (reason instanceof AgentFailure && call !== undefined) void stopAtAgent(call);
        emit("agent_call_aborted", { ...effort(), because: reason instanceof Error ? reason.message : String(reason) });
        throw reason;
      }
    },
  };
}
