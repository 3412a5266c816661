import type { Reading } from "../adapters/protocol-adapter.ts";
import type { OpenCall } from "./open-call.ts";

/** Returns whether the task still waits with the question that this call answers, because the agent has not read the message yet. */
export function isStill(answered: string | undefined, { questionId }: Reading): boolean {
  return answered !== undefined && questionId === answered;
}

/** Stores the agent's own id of the task. `call.remembered` resolves when the id is durable. */
export function remember(call: OpenCall, remoteId: string): void {
  if (remoteId === call.remoteId) return;
  call.remoteId = remoteId;
  call.remembered = call.options.onRemoteId(remoteId);
  // Awaited after the response is read, because a stream can stay open for a long time.
  call.remembered.catch(() => undefined);
}

/** Reports the agent's progress when it has changed. */
export function tellProgress(call: OpenCall, progress: string | undefined): void {
  if (progress === undefined || progress === call.progress) return;
  call.progress = progress;
  call.options.onProgress?.(progress);
}

/** Reports the artifacts of a streamed task after each event. */
export function tellArtifacts(call: OpenCall, artifacts: readonly unknown[] | undefined): void {
  if (artifacts !== undefined) call.options.onArtifacts?.(artifacts);
}
