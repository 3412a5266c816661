import type { NormalisedResult, Reading } from "../adapters/protocol-adapter.ts";
import { askAgent } from "./ask-agent.ts";
import type { OpenCall } from "./open-call.ts";
import { pollPause } from "./pauses.ts";

/**
 * Asks the agent how a task stands that it took, until the task ends or its deadline passes. A poll that failed in a way that may pass,
 * or that the agent's circuit did not let through, is no end: the agent works on, and is asked again. Nor is the question `answered`, which
 * the message of this call answers: the agent has not read the message yet.
 */
export async function followTask(call: OpenCall, remoteId: string, answered?: string): Promise<NormalisedResult> {
  const { adapter, options, task, time } = call;
  // Undefined only in an adapter that is wrong: it says that the agent works, and has no way to ask. Told as what cannot be translated.
  const request = (): unknown => adapter.toPoll?.(task, remoteId);
  let askedForMs = 0;
  for (let polls = 0; ; polls += 1) {
    const remainingMs = options.deadlineAt - time.now();
    if (remainingMs > 0) {
      const pauseMs = Math.max(askedForMs, pollPause(polls, time.random()));
      await time.sleep(Math.min(pauseMs, remainingMs), options.signal);
    }
    const { reading, retryAfterMs, durationMs } = await askAgent(call, "poll", request);
    askedForMs = retryAfterMs;
    if (reading.state === "working") {
      tellProgress(call, reading.progress);
      continue;
    }
    if (isStill(answered, reading)) continue;
    const { error } = reading.result;
    if (!error?.retryable && error?.kind !== "circuit_open") return reading.result;
    const exchange = { operation: "poll" as const, attempt: call.attempts, durationMs };
    call.observer.retried(call.ids, {
      ...exchange,
      failure: error,
      pauseMs: Math.max(askedForMs, pollPause(polls + 1, 0)),
    });
  }
}

/** Whether the task still waits with the question that this call answers. */
export function isStill(answered: string | undefined, { questionId }: Reading): boolean {
  return answered !== undefined && questionId === answered;
}

/** Reports what the agent says it is doing, when that is something new. */
export function tellProgress(call: OpenCall, progress: string | undefined): void {
  if (progress === undefined || progress === call.progress) return;
  call.progress = progress;
  call.options.onProgress?.(progress);
}
