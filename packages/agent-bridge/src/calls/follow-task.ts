import type { NormalisedResult } from "../adapters/protocol-adapter.ts";
import { askAgent } from "./ask-agent.ts";
import type { OpenCall } from "./open-call.ts";
import { pollPause } from "./pauses.ts";
import { isStill, tellProgress } from "./readings.ts";

/**
 * Asks the agent how a task stands that it took, until the task ends or its deadline passes. A poll that failed in a way that may pass,
 * or that the agent's circuit did not let through, is no end: the agent works on, and is asked again. Nor is the question `answered`.
 */
export async function followTask(call: OpenCall, remoteId: string, answered?: string): Promise<NormalisedResult> {
  await watchTask(call, remoteId, answered);
  const { adapter, options, task, time } = call;
  // Undefined only in an adapter that is wrong: it says that the agent works, and has no way to ask. Told as what cannot be translated.
  const request = { operation: "poll" as const, make: (): unknown => adapter.toPoll?.(task, remoteId) };
  let askedForMs = 0;
  for (let polls = 0; ; polls += 1) {
    const remainingMs = options.deadlineAt - time.now();
    if (remainingMs > 0) {
      const pauseMs = Math.max(askedForMs, pollPause(polls, time.random()));
      await time.sleep(Math.min(pauseMs, remainingMs), options.signal);
    }
    const { reading, retryAfterMs, durationMs } = await askAgent(call, request);
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

/**
 * Listens to the events of a task that the agent took, for what it says it is doing, until an event ends the task. A stream that is cut is
 * resumed for as long as it brings news. The task as the agent stored it is polled afterwards: a stream may have missed a part of it.
 */
async function watchTask(call: OpenCall, remoteId: string, answered: string | undefined): Promise<void> {
  const { adapter, task, time, options } = call;
  const { toSubscribe } = adapter;
  if (toSubscribe === undefined) return;
  while (call.streams) {
    const before = call.progress;
    const make = (): unknown => toSubscribe(task, remoteId);
    const { reading } = await askAgent(call, { operation: "subscribe", make, isStream: true, answered });
    const isCut = reading.state === "working" && call.progress !== before;
    if (!isCut) return;
    await time.sleep(
      Math.min(pollPause(0, time.random()), Math.max(0, options.deadlineAt - time.now())),
      options.signal,
    );
  }
}
