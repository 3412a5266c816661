import { setTimeout as sleep } from "node:timers/promises";
import { createTokenBuckets, type TokenBuckets } from "@crosszone/service-kit";
import { AgentFailure } from "../agent-failure.ts";
import type { Adapters } from "../adapters/adapters.ts";
import type { NormalisedResult, ProtocolAdapter } from "../adapters/protocol-adapter.ts";
import type { AgentCaller, CallEnd } from "./agent-caller.ts";
import { asFailure } from "./as-failure.ts";
import { followTask } from "./follow-task.ts";
import type { CallParts, OpenCall } from "./open-call.ts";
import type { CallTime } from "./pauses.ts";
import { sendTask } from "./send-task.ts";
import { stopAtAgent } from "./stop-at-agent.ts";

/** What a caller asks agents with. */
export interface AgentCallerDeps extends Omit<CallParts, "time"> {
  readonly adapters: Pick<Adapters, "adapterOf">;
  /** One token for each retry, by the name of the agent; 50 at once and ten a second when absent. Retries wait for theirs. */
  readonly retryTokens?: TokenBuckets;
  readonly time?: CallTime;
}

const realTime: CallTime = {
  now: Date.now,
  random: Math.random,
  sleep: async (ms, signal) => {
    try {
      await sleep(ms, undefined, { signal });
    } catch (error) {
      signal.throwIfAborted();
      throw error;
    }
  },
};

/** Makes the caller that gives a task to an agent, tries again what may be tried again, and asks until the task has ended. */
export function createAgentCaller({ adapters, retryTokens, time = realTime, ...parts }: AgentCallerDeps): AgentCaller {
  const tokens = retryTokens ?? createTokenBuckets({ capacity: 50, perMinute: 600 });
  const { observer } = parts;
  return {
    call: async (task, agent, options) => {
      const startedAt = performance.now();
      const { run_id, task_id, agent_name, correlation_id } = task;
      const ids = {
        run_id,
        task_id,
        agent_name,
        correlation_id,
        traceparent: options.traceparent,
        protocol: agent.protocol,
      };
      const lasted = (attempts: number): { attempts: number; durationMs: number } => ({
        attempts,
        durationMs: performance.now() - startedAt,
      });
      const end = (result: NormalisedResult, attempts: number): CallEnd => {
        observer.callEnded(ids, { ...lasted(attempts), result });
        return { output: result.output, failure: result.error ?? undefined, attempts };
      };
      let adapter: ProtocolAdapter;
      try {
        adapter = adapters.adapterOf(agent);
      } catch (error) {
        return end({ task_id, status: "error", output: null, error: asFailure(error) }, 0);
      }
      const { remoteId } = options;
      const call: OpenCall = { ...parts, time, ids, task, agent, adapter, options, attempts: 0, remoteId };
      try {
        const result = await run(call, tokens);
        if (result.error?.kind === "deadline_exceeded") void stopAtAgent(call);
        return end(result, call.attempts);
      } catch (reason) {
        if (reason instanceof AgentFailure) void stopAtAgent(call);
        observer.callAborted(ids, { ...lasted(call.attempts), reason });
        throw reason;
      }
    },
  };
}

async function run(call: OpenCall, tokens: TokenBuckets): Promise<NormalisedResult> {
  if (call.remoteId === undefined || call.adapter.toPoll === undefined) {
    const reading = await sendTask(call, tokens);
    if (reading.state === "ended") return reading.result;
    call.remoteId = reading.remoteId;
    await call.options.onRemoteId(reading.remoteId);
  }
  return await followTask(call, call.remoteId);
}
