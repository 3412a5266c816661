import type { TokenBuckets } from "@crosszone/service-kit";
import type { Reading } from "../adapters/protocol-adapter.ts";
import { askAgent } from "./ask-agent.ts";
import type { OpenCall } from "./open-call.ts";
import { retryPause } from "./pauses.ts";

/**
 * Gives the task to the agent, and again when that failed in a way that may pass: `retry.max_retries` times at most, with a pause that
 * grows or that the agent asks for, and not faster than `tokens` come for this agent. Ends with the last reading when no attempt is left,
 * or none fits before the deadline.
 */
export async function sendTask(call: OpenCall, tokens: TokenBuckets): Promise<Reading> {
  const { adapter, agent, options, task, time } = call;
  let before: Reading | undefined;
  for (;;) {
    call.attempts += 1;
    const { reading, retryAfterMs, durationMs } = await askAgent(call, "send", () => adapter.toRequest(task));
    const failed = reading.state === "ended" ? reading.result.error : null;
    // The agent was not asked; and what made the circuit open says more than that it is open.
    if (failed?.kind === "circuit_open") {
      call.attempts -= 1;
      return before ?? reading;
    }
    if (!failed?.retryable || call.attempts > agent.retry.max_retries) return reading;
    const pauseMs = retryAfterMs + retryPause(agent.retry, call.attempts, time.random());
    if (time.now() + pauseMs >= options.deadlineAt) return reading;
    call.observer.retried(call.ids, {
      operation: "send",
      attempt: call.attempts,
      durationMs,
      failure: failed,
      pauseMs,
    });
    await time.sleep(pauseMs, options.signal);
    if (!(await takeToken(call, tokens))) return reading;
    before = reading;
  }
}

/** Waits for a token; false when none comes before the deadline. */
async function takeToken({ agent, options, time }: OpenCall, tokens: TokenBuckets): Promise<boolean> {
  for (;;) {
    const waitMs = tokens.take(agent.name);
    if (waitMs === 0) return true;
    if (time.now() + waitMs >= options.deadlineAt) return false;
    await time.sleep(waitMs, options.signal);
  }
}
