import type { Reading } from "../adapters/protocol-adapter.ts";
import type { OpenCall } from "./open-call.ts";

/** Whether the task still waits with the question that this call answers: the agent has not read the message yet. */
export function isStill(answered: string | undefined, { questionId }: Reading): boolean {
  return answered !== undefined && questionId === answered;
}

/** Keeps the id that the agent gave the task. `call.remembered` resolves when it is durable. */
export function remember(call: OpenCall, remoteId: string): void {
  if (remoteId === call.remoteId) return;
  call.remoteId = remoteId;
  call.remembered = call.options.onRemoteId(remoteId);
  // Awaited when the answer has been read; a stream may go on for long.
  call.remembered.catch(() => undefined);
}

/** Reports what the agent says it is doing, when that is something new. */
export function tellProgress(call: OpenCall, progress: string | undefined): void {
  if (progress === undefined || progress === call.progress) return;
  call.progress = progress;
  call.options.onProgress?.(progress);
}
