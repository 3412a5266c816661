import type { InboxRecord, LeasedRecord, StoredAnswer } from "../../inbox/records.ts";
import { type Answering, type Attempt, type Flow, startAttempt } from "./attempt.ts";
import { deliverAnswer } from "./deliver-answer.ts";

/**
 * Makes the flow of records that wait for the result of a task: it is stored, and delivered into their thread. `newAnswer` resolves with
 * undefined if there will be none, and rejects with a `ReleasedError` that says when to look again.
 */
export function createResultFlow<K extends "failed_run" | "paused_task">(
  answering: Answering,
  newAnswer: (record: Extract<InboxRecord, { kind: K }>, signal: AbortSignal) => Promise<StoredAnswer | undefined>,
): Flow<K> {
  const { inbox, running } = answering;
  return async (given: LeasedRecord<K>, lease) => {
    const leave = AbortSignal.any([lease, running.leaving]);
    leave.throwIfAborted();
    const leased = given as unknown as LeasedRecord<"failed_run"> | LeasedRecord<"paused_task">;
    const { record, progress } = leased;
    const answer = progress.answer ?? (await newAnswer(given.record, leave));
    if (answer === undefined) return;
    if (progress.answer === undefined) await inbox.note(leased, { answer });
    const ready = { answer, placeholder: { doubtful: progress.answer !== undefined }, taskId: record.task_id };
    await deliverAnswer(answering, startAttempt<Attempt["leased"]>(answering, leased, leave), ready);
  };
}
