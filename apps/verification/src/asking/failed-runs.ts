import { randomUUID } from "node:crypto";
import {
  type GetAsyncTaskResultResult,
  type InputRequest,
  type TaskInputRequired,
  ZoneError,
} from "@crosszone/contracts";
import { LinkError } from "@crosszone/jsonrpc";
import { retryTransient } from "@crosszone/sql";
import { atMost } from "@crosszone/service-kit/timing";
import { lookAgainMs, waitAfter } from "../cards/show-input.ts";
import type { Inbox } from "../inbox/inbox.ts";
import { InboxFullError, ReleasedError, WithdrawnError } from "../inbox/record-ends.ts";
import {
  type FailedRunRecord,
  headOf,
  type InboxRecord,
  inputRecordId,
  type LeasedRecord,
  pausedClaim,
  pausedTaskId,
  type PausedTaskRecord,
  type RecordHead,
  type StoredAnswer,
} from "../inbox/records.ts";
import { zoneRetryAfter } from "../link/zone-link.ts";
import { type Attempt, startAttempt } from "../showing/attempt.ts";
import type { Flow, Workplace } from "../showing/workplace.ts";
import { deliverAnswer } from "../showing/deliver-answer.ts";
import { answerOfOutcome, nothingShown, type QuestionOutcome } from "../showing/task-outcome.ts";
import { namesIn } from "../slack/notation.ts";
import { statusTimeoutMs } from "../workspaces/workspaces.ts";
import { doneBy } from "./answer-question.ts";

/** How long after its failure a run is watched for a retry, milliseconds. Execution keeps failed tasks as long by default. */
const watchMs = 86_400_000;

/** Stores that a question's run failed, each failure once, so that its thread gets the result of a retry. Does nothing for other errors. */
export async function watchFailedRun(
  inbox: Inbox,
  record: RecordHead,
  { error, now }: { readonly error: unknown; readonly now: number },
): Promise<void> {
  const { failed_run, task_id, progress } = error instanceof ZoneError ? error.data : {};
  // A canceled run cannot be retried.
  if (failed_run === undefined || failed_run.reason === "canceled" || task_id === undefined) return;
  const seen = progress?.revision ?? 0;
  const head = { ...headOf(record), request_id: randomUUID(), claims: [`failed run ${task_id} ${seen}`] };
  await inbox.accept({ ...head, kind: "failed_run", task_id, seen, until: now + watchMs }).catch((failure: unknown) => {
    if (!(failure instanceof InboxFullError)) throw failure;
  });
}

/** Stores a record unless it is there. Its claims may be gone, because it waits longer than they are kept. */
async function acceptOnce(inbox: Inbox, record: InboxRecord): Promise<void> {
  if (!(await inbox.isOpen(record.request_id))) await inbox.accept(record);
}

/** Stores the input requests of a task that waits, so that Slack shows each once. */
async function storeInputs(inbox: Inbox, record: RecordHead, requests: readonly InputRequest[]): Promise<void> {
  for (const request of requests) {
    const request_id = inputRecordId(request.request_id);
    await acceptOnce(inbox, { ...headOf(record), kind: "input", request_id, claims: [request_id], request });
  }
}

/** Stores a task that waits, so that the thread of its question gets its answer once it has gone on. */
export async function storePaused(
  inbox: Inbox,
  record: RecordHead,
  paused: Pick<PausedTaskRecord, "is_workflow" | "people" | "told"> & { readonly required: TaskInputRequired },
): Promise<void> {
  const { required, ...task } = paused;
  await storeInputs(inbox, record, required.input_requests);
  const { task_id } = required;
  const ids = {
    request_id: pausedTaskId(task_id),
    claims: [pausedClaim(record.request_id)],
    session: record.request_id,
    task_id,
  };
  await acceptOnce(inbox, { ...headOf(record), ...task, ...ids, kind: "paused_task" });
}

/**
 * Works on a record that waits for the end of a task: its answer is stored, and delivered into their thread. `find` resolves with undefined if
 * there will be none, and rejects with a `ReleasedError` that says when to look again. `edit` completes the answer.
 */
async function workOnResult(
  desk: Workplace,
  work: { readonly leased: LeasedRecord<"failed_run"> | LeasedRecord<"paused_task">; readonly leave: AbortSignal },
  result: {
    readonly find: () => Promise<QuestionOutcome | undefined>;
    readonly edit?: (answer: StoredAnswer) => StoredAnswer;
  },
): Promise<void> {
  const { inbox, workspace } = desk;
  const { leased, leave } = work;
  const { find, edit = (answer) => answer } = result;
  leave.throwIfAborted();
  const { record, progress } = leased;
  let { answer } = progress;
  if (answer === undefined) {
    const outcome = await find();
    if (outcome === undefined) return;
    // The policy may no longer allow its requester an answer. Until it can be checked, the answer waits.
    const { denial, cause } = await workspace.policies.onRetry(record);
    if (denial?.reason === "check_failed") throw cause;
    if (denial !== undefined) return;
    if (outcome.state === "failed")
      await watchFailedRun(inbox, record, { error: outcome.error, now: workspace.clock.now() });
    const names = await namesIn("text" in outcome ? [outcome.text] : [], workspace.directory);
    answer = edit(answerOfOutcome(outcome, record.correlation_id, { ...nothingShown, names }).answer);
    await inbox.note(leased, { answer });
  }
  const { headline, task_id: taskId } = record;
  const placeholder = headline ? { ts: headline.ts } : { doubtful: progress.answer !== undefined };
  const ready = { answer, placeholder, taskId };
  await deliverAnswer(desk, startAttempt<Attempt["leased"]>(workspace, leased, leave), ready);
}

/**
 * Watches a failed run: once an operator has retried it, and it has ended again, its thread gets the result. The record stays in the inbox until
 * then, or for a day, so no restart of either zone loses the result.
 */
export async function workOnFailedRun(
  desk: Workplace,
  leased: LeasedRecord<"failed_run">,
  leave: AbortSignal,
): Promise<void> {
  const find = (): Promise<QuestionOutcome | undefined> => newOutcome(desk, leased.record, leave);
  const edit = ({ parts: [first = "", ...others], footer: _used, ...answer }: StoredAnswer): StoredAnswer => ({
    ...answer,
    parts: [`**Retried:** ${first}`, ...others],
  });
  await workOnResult(desk, { leased, leave }, { find, edit });
}

/** Returns the result of a retried run; undefined if there will be none. Rejects with a `ReleasedError` that says when to look again. */
async function newOutcome(
  { workspace, link }: Workplace,
  record: FailedRunRecord,
  signal: AbortSignal,
): Promise<QuestionOutcome | undefined> {
  const { clock } = workspace;
  const { task_id, seen, correlation_id: correlationId, user_id } = record;
  const call = { signal, correlationId };
  const told = (error: unknown): ZoneError | LinkError => {
    signal.throwIfAborted();
    if (error instanceof ZoneError || error instanceof LinkError) return error;
    throw error;
  };
  const change = await link.call("get_run_change", { task_id, seen_revision: seen }, call).catch(told);
  const isSame = "changed" in change && !change.changed;
  // Execution of an earlier release has only the result, which is the error again.
  const hasEnded = change instanceof ZoneError && change.kind === "task_not_found";
  const result = isSame || hasEnded ? change : await link.call("get_async_task_result", { task_id }, call).catch(told);
  if ("changed" in result || isUnchanged(result, record)) {
    if (clock.now() > record.until) return undefined;
    throw new ReleasedError("no operator has retried the run yet", pauseMs(clock.now() - (record.until - watchMs)));
  }
  if (result instanceof ZoneError && result.data.failed_run === undefined) return undefined;
  if (!(result instanceof Error) && result.status === "working") throw new ReleasedError("the run goes on", goingOnMs);
  if (result instanceof Error) return { state: "failed", error: result };
  return result.status === "success"
    ? {
        ...doneBy(workspace, result, { isWorkflow: true, reference: record.correlation_id }),
        people: new Set([user_id]),
      }
    : undefined;
}

/** The pause while a retried run goes on, and the shortest and longest pause before, milliseconds. */
const goingOnMs = 2_000;
const [shortestMs, longestMs] = [5_000, 300_000];

/** Returns a pause that grows with the age of a wait, to a twentieth of it. */
const pauseMs = (ageMs: number): number => Math.min(longestMs, Math.max(shortestMs, ageMs / 20));

/** Returns true if the run is as it was, or execution cannot say at the moment. */
function isUnchanged(result: GetAsyncTaskResultResult | ZoneError | LinkError, { seen }: FailedRunRecord): boolean {
  if (result instanceof LinkError) return true;
  if (!(result instanceof ZoneError)) return false;
  const { failed_run, progress } = result.data;
  return failed_run === undefined ? result.kind !== "task_not_found" : (progress?.revision ?? 0) <= seen;
}

/** The pause before the next look at a task that works, milliseconds. */
const workingMs = 1_000;

/** Returns the pause before the next look at a task that goes on by itself, milliseconds: at its time, or as `pauseMs` says. */
function sleepMs({ resumes_at }: TaskInputRequired, { received_at }: PausedTaskRecord, now: number): number {
  const dueMs = resumes_at === undefined ? Infinity : Date.parse(resumes_at) - now;
  return dueMs > 0 ? Math.min(dueMs + workingMs, pauseMs(now - received_at)) : pauseMs(-dueMs);
}

/**
 * Makes the flow that watches a task which waits for people, a time or an event: once it has gone on and ended, the thread of its question gets the
 * answer. The record stays in the inbox until then, so no restart of either zone loses the answer.
 */
export function createPausedTaskFlow(desk: Workplace): Flow<"paused_task"> {
  const { workspace, link } = desk;
  const { session, clock } = workspace;
  const shown = new Map<string, SessionState>();
  return async (leased, leave) => {
    const { record } = leased;
    const { request_id } = record;
    const show = (status: SessionState): void => {
      if (shown.get(request_id) !== status) link.background(session[status](record));
      shown.set(request_id, status);
    };
    const find = async (): Promise<QuestionOutcome> => {
      const outcome = await outcomeOf(desk, record, { signal: leave, show });
      shown.delete(request_id);
      await atMost(statusTimeoutMs, session.idle(record), clock);
      return outcome;
    };
    await workOnResult(desk, { leased, leave }, { find });
  };
}

type SessionState = "working" | "suspended" | "idle";

/** Returns how the task ended. Rejects with a `ReleasedError` that says when to look again. */
async function outcomeOf(
  { workspace, inbox, link }: Workplace,
  record: PausedTaskRecord,
  { signal, show }: { readonly signal: AbortSignal; readonly show: (status: SessionState) => void },
): Promise<QuestionOutcome> {
  const { task_id, session, correlation_id: correlationId, people, is_workflow } = record;
  const call = { signal, session, correlationId };
  const { ended } = await inbox.standing(record);
  const ask = async (): Promise<GetAsyncTaskResultResult | ZoneError> => {
    if (ended !== undefined) await link.call("cancel_task", { task_id }, call);
    return link.call("get_async_task_result", { task_id }, call);
  };
  const result = await ask().catch((error: unknown): ZoneError => {
    signal.throwIfAborted();
    if (error instanceof ZoneError && zoneRetryAfter(error) === undefined) return error;
    throw waitAfter(error);
  });
  if (!(result instanceof Error) && result.status === "working") {
    show("working");
    throw new ReleasedError("the task goes on", workingMs);
  }
  if (!(result instanceof Error) && result.status === "input_required") {
    await storeInputs(inbox, { ...record, request_id: session }, result.input_requests);
    const isAsleep = result.input_requests.length === 0;
    show(isAsleep ? "idle" : "suspended");
    throw isAsleep
      ? new ReleasedError("the task waits for its time", sleepMs(result, record, workspace.clock.now()))
      : new ReleasedError("the task waits for people", lookAgainMs);
  }
  // Its files were those of the question, as long as it lasted.
  await retryTransient(() => workspace.tokens.revoke({ request_id: session }), { signal });
  if (ended?.reason === "withdrawn") throw new WithdrawnError("its author deleted the question");
  if (!(result instanceof Error))
    return {
      ...doneBy(workspace, result, { isWorkflow: is_workflow, reference: record.correlation_id }),
      people: new Set(people),
    };
  if (ended === undefined) return { state: "failed", error: result };
  return { state: "stopped", by: ended.by === record.user_id ? undefined : ended.by };
}
