import type { InboxRecord, LeasedRecord, StoredAnswer } from "../../inbox/records.ts";
import { namesIn } from "../../slack/names.ts";
import { type Answering, type Attempt, type Flow, startAttempt } from "./attempt.ts";
import { deliverAnswer } from "./deliver-answer.ts";
import { answerOf, nothingShown, type TaskOutcome } from "./task-outcome.ts";

/**
 * Makes the flow of records that wait for the end of a task: its answer is stored, and delivered into their thread. `find` resolves with
 * undefined if there will be none, and rejects with a `ReleasedError` that says when to look again. `edit` completes the answer.
 */
export function createResultFlow<K extends "failed_run" | "paused_task">(
  answering: Answering,
  find: (record: Extract<InboxRecord, { kind: K }>, signal: AbortSignal) => Promise<TaskOutcome | undefined>,
  edit: (answer: StoredAnswer) => StoredAnswer = (answer) => answer,
): Flow<K> {
  const { inbox, running, workspace, watchFailedRun } = answering;
  return async (given: LeasedRecord<K>, lease) => {
    const leave = AbortSignal.any([lease, running.leaving]);
    leave.throwIfAborted();
    const leased = given as unknown as LeasedRecord<"failed_run"> | LeasedRecord<"paused_task">;
    const { record, progress } = leased;
    let { answer } = progress;
    if (answer === undefined) {
      const outcome = await find(given.record, leave);
      // The policy may no longer allow its requester an answer.
      if (outcome === undefined || (await workspace.policies.onRetry(record)).denial !== undefined) return;
      if (outcome.state === "failed") await watchFailedRun(record, outcome.error);
      const names = await namesIn("text" in outcome ? [outcome.text] : [], workspace.directory);
      answer = edit(answerOf(outcome, record.correlation_id, { ...nothingShown, names }).answer);
      await inbox.note(leased, { answer });
    }
    const ready = { answer, placeholder: { doubtful: progress.answer !== undefined }, taskId: record.task_id };
    await deliverAnswer(answering, startAttempt<Attempt["leased"]>(answering, leased, leave), ready);
  };
}
