import { createTokenBuckets, type TokenBuckets } from "@crosszone/service-kit";
import { systemClock, unlessAborted } from "@crosszone/service-kit/timing";
import type { Adapters } from "../adapters/adapters.ts";
import type { AgentClient } from "../client/agent-client.ts";
import { Discovery } from "../discovery/discovery.ts";
import { type BridgeEmit, failedFields } from "../events/agent-events.ts";
import type { CircuitBreakers } from "../limits/circuit-breakers.ts";
import { AgentFailure, asFailure, ProtocolTranslationError } from "../protocol/agent-failure.ts";
import type { NormalizedResult } from "../protocol/protocol-adapter.ts";
import { omittedFiles } from "../protocol/read-card.ts";
import type { AgentCaller, CallEnd } from "./agent-caller.ts";
import { followTask, stopAtAgent } from "./follow-task.ts";
import { nextWay } from "./next-way.ts";
import { type CallTime, openCall, type OpenCall } from "./open-call.ts";
import { openQuestion, sendTask } from "./send-task.ts";

/** Dependencies of an agent caller. */
export interface AgentCallerDeps {
  readonly adapters: Adapters;
  readonly client: AgentClient;
  readonly breakers: CircuitBreakers;
  readonly emit: BridgeEmit;
  /** A rate limit of retries, by agent name; 50 at once and ten a second when absent. Retries wait for a token. */
  readonly retryTokens?: TokenBuckets;
  readonly time?: CallTime;
}

const realTime: CallTime = { ...systemClock, random: Math.random };

/**
 * Creates the caller. It sends a task to an agent, retries temporary failures, and follows the task until it ends. When the agent rejects
 * how it was called, the caller tries the other ways (`nextWay`).
 */
export function createAgentCaller(deps: AgentCallerDeps): AgentCaller {
  const { adapters, client, breakers, emit, retryTokens, time = realTime } = deps;
  const tokens = retryTokens ?? createTokenBuckets({ capacity: 50, perMinute: 600 });
  const discovery = new Discovery(client, adapters, time.now);
  const parts = { client, breakers, discovery, tokens, emit, time };

  const call: AgentCaller["call"] = async (task, agent, options) => {
    const startedAt = performance.now();
    const { run_id, task_id, agent_name, correlation_id } = task;
    const { signal, traceparent } = options;
    const ids = { run_id, task_id, agent_name, correlation_id, traceparent, protocol: agent.protocol };
    let now: OpenCall | undefined;
    const effort = () => ({
      ...(now?.ids ?? ids),
      attempt: now?.attempts ?? 0,
      duration_ms: performance.now() - startedAt,
    });
    const end = ({ output, error }: NormalizedResult): CallEnd => {
      const fields = effort();
      if (error === null) emit("agent_call_ended", { ...fields, status: "success", output });
      // Already reported, with the response.
      else if (error instanceof ProtocolTranslationError)
        emit("agent_call_ended", { ...fields, status: "error", kind: error.kind });
      else emit("agent_call_failed", { ...fields, ...failedFields(error) });
      const filesLeftOut = now && omittedFiles(task, now.task);
      return { output, failure: error ?? undefined, attempts: fields.attempt, filesLeftOut };
    };
    try {
      now = await openCall(parts, { ids, task, registered: agent, options });
      for (;;) {
        const question = await openQuestion(now);
        let step = await sendTask(now, question);
        now = step.call;
        signal.throwIfAborted();
        if (step.result === undefined) {
          // The agent works on the task, and the next process has to find it there.
          if (now.stored !== undefined) await unlessAborted(now.stored, signal);
          step = await followTask(now, question);
          now = step.call;
          signal.throwIfAborted();
        }
        step = nextWay(step);
        now = step.call;
        if (step.result === undefined) continue;
        if (step.result.error?.kind === "deadline_exceeded") void stopAtAgent(now);
        return end(step.result);
      }
    } catch (reason) {
      if (now === undefined && !signal.aborted)
        return end({ task_id, status: "error", output: null, error: asFailure(reason) });
      if (reason instanceof AgentFailure && now !== undefined) void stopAtAgent(now);
      emit("agent_call_aborted", { ...effort(), because: reason instanceof Error ? reason.message : String(reason) });
      throw reason;
    }
  };
  return { call };
}
