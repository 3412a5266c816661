import type { TaskFile, TaskInputRequired, TaskSucceeded } from "@crosszone/contracts";
import type { CallOptions } from "@crosszone/jsonrpc";
import { retryTransient } from "@crosszone/sql";
import type { Question } from "../inbox/records.ts";
import type { Standing } from "../inbox/thread-store.ts";
import type { HandleGrant } from "../link/handles.ts";
import type { ZoneLink } from "../link/zone-link.ts";
import { DeniedError } from "../policy/denials.ts";
import type { Judgment } from "../policy/policies.ts";
import { agentsList, withNearNames } from "../showing/agents-list.ts";
import { answerControls, missingInput } from "../cards/answer-controls.ts";
import { type QuestionAttempt, taskRetried } from "../showing/attempt.ts";
import type { Workplace } from "../showing/workplace.ts";
import { introduced } from "../showing/markdown/compose-answer.ts";
import { oneLine } from "../showing/markdown/neutralise.ts";
import type { WorkDisplay } from "../showing/show-working.ts";
import type { EditPace } from "../showing/step-display.ts";
import type { StreamStarts } from "../showing/streams/streams.ts";
import type { QuestionOutcome } from "../showing/task-outcome.ts";
import { type FileRules, isAllowedType, mediaTypeOf } from "../slack/files/read-file.ts";
import { timeMrkdwn } from "../slack/notation.ts";
import type { WorkspaceContext } from "../workspaces/workspaces.ts";
import { type WrittenCommand, meantCommand } from "./message-command.ts";
import { runTask } from "./run-task.ts";
import { readThreadHistory, taskFiles, taskParams, type ThreadHistory } from "./task-input.ts";

type Done = Extract<QuestionOutcome, { state: "done" }>;
type Paused = Extract<QuestionOutcome, { state: "paused" }>;

const emptyQuestion =
  "What can I do for you? Write your question after my name, or `agents` to see who can answer and what I can run.";
const historyTimeoutMs = 2_000;

/** Where the questions of one workspace are worked on. */
export interface QuestionDesk extends Workplace {
  readonly pace: EditPace;
  /** Answers are not streamed when absent. */
  readonly streams?: StreamStarts;
  /** Judges the files of a question, which may be known later than the question. */
  readonly judgeFiles: (record: Question) => Promise<Judgment>;
}

/** Returns the answer to one question without posting it, or what its task waits for. Rejects with the error, or with the reason why the task was ended. */
export async function answerQuestion(
  { inbox, link, judgeFiles }: QuestionDesk,
  attempt: QuestionAttempt,
  { standing, display }: { readonly standing: Promise<Standing>; readonly display: WorkDisplay },
): Promise<Done | Paused> {
  const { workspace, leased, task, emit } = attempt;
  const { policy } = workspace;
  const { record } = leased;
  // An earlier attempt has left the task, and maybe its answer, to the record that watches it.
  const readPause = () => inbox.pauseOf(record.request_id);
  const pause = leased.attempt > 1 ? await retryTransient(readPause, { signal: task.leave }) : undefined;
  if (pause === "done") return { state: "paused", text: waits, people: new Set(), is_workflow: false };
  if (pause !== undefined)
    return { state: "paused", ...pause.told, people: new Set(pause.people), is_workflow: pause.is_workflow };
  const { ended, conversation } = await standing;
  if (ended !== undefined) task.end(ended.reason);
  // An earlier attempt may have started a task, which must be found and canceled.
  if (leased.attempt === 1) task.signal.throwIfAborted();

  const call = { signal: task.signal, correlationId: record.correlation_id };
  const command = await commandOf(record, { link, call });
  if (command.kind === "agents") {
    const retries = { signal: task.signal, onRetry: taskRetried(attempt) };
    const { agents } = await link.retry(() => link.call("list_agents", {}, call), retries);
    return { state: "done", text: agentsList(agents), people: new Set() };
  }
  // Words such as `stop` are a question where nothing reads them as a command.
  const said = "text" in command ? command : { text: record.text, agent: undefined };
  const question = record.agent === undefined ? said : { text: said.text, agent: record.agent };
  const told = record.files_unknown ? await inbox.recent.filesOf(record) : undefined;
  const complete = told === undefined ? record : { ...record, files: told, files_unknown: false };
  const history = await readThreadHistory(workspace, complete, {
    policy: policy.current(),
    timeoutMs: historyTimeoutMs,
    onFailure: (failure) => emit("history_missing", { operation: "conversations.replies", failure }),
  });
  if (record.files_unknown && history.files.length > 0) {
    const { denial } = await judgeFiles({ ...record, files: history.files, files_unknown: false });
    if (denial !== undefined) throw new DeniedError(denial);
  }
  const isWorkflow = command.kind === "run";
  // A workflow can run without text, and a mention alone asks about its thread.
  const hasContent = history.files.length + history.messages.length + (record.others?.length ?? 0) > 0;
  if (question.text === "" && !hasContent && !isWorkflow)
    return { state: "done", text: emptyQuestion, people: new Set() };
  const form =
    isWorkflow && record.is_fire !== true && (await missingInput(command, record.correlation_id, { link, call }));
  if (form) return { state: "done", ...form, people: new Set() };
  const people = new Set([record.user_id, ...history.people]);
  display.people = people;
  const agent = question.agent ?? conversation.agent ?? policy.current().channel_agents.get(record.channel);
  task.agent = agent;
  const asked = { text: question.text, agent, contextId: conversation.context_id };
  const answer = await askExecution(link, attempt, { asked, history, display }).catch(async (error: unknown) => {
    throw await withNearNames(error, agent, { link, call });
  });
  if (answer.status === "input_required") return { ...pausedBy(answer, isWorkflow), people };
  return { ...doneBy(workspace, answer, { isWorkflow, reference: record.correlation_id }), people };
}

/** Resolves with the command of a question, to the agent that its person chose by a press, if they did. */
async function commandOf(
  { text, agent, offered_by, is_literal = false }: Question,
  to: { readonly link: ZoneLink; readonly call: CallOptions },
): Promise<WrittenCommand> {
  // What an agent wrote is no command of the person who pressed it.
  if (offered_by !== undefined) return { kind: "ask", text };
  const written = await meantCommand(text, { ...to, literally: is_literal ? agent : undefined });
  if (agent === undefined || is_literal || !("text" in written)) return written;
  return meantCommand(written.text, { ...to, literally: agent });
}

/** What to ask execution, and where to show its progress. */
interface Asking {
  readonly asked: { readonly text: string; readonly agent: string | undefined; readonly contextId: string };
  readonly history: ThreadHistory;
  readonly display: WorkDisplay;
}

/** Runs the question's task in execution, with a token for its files. */
async function askExecution(
  link: ZoneLink,
  attempt: QuestionAttempt,
  { asked, history, display }: Asking,
): Promise<TaskSucceeded | TaskInputRequired> {
  const { workspace, leased, task, emit } = attempt;
  const { record } = leased;
  const { slack, tokens, policy, limits } = workspace;
  const onFailure = (failure: unknown): void => emit("history_missing", { operation: "files.info", failure });
  const deps = { slack, policy: policy.current(), limits, timeoutMs: historyTimeoutMs, onFailure };
  const files = await taskFiles(deps, record, history);
  const { request_id, correlation_id, team_id, org_id, channel } = record;
  const file_ids = files.attachments.flatMap(({ id }) => id ?? []);
  const grant: HandleGrant = { request_id, correlation_id, team_id, org_id, channel, file_ids };
  // A lost connection to the database must not cost the answer.
  const botToken = await retryTransient(() => tokens.issue(grant), { signal: task.leave });
  let isPaused = false;
  try {
    const params = taskParams(record, asked, { files, history, botToken });
    const result = await runTask(link, attempt, { params, viewer: display });
    isPaused = result.status === "input_required";
    return result;
  } finally {
    // The next attempt at the record has the same task and the same handle, so it keeps it. A paused task goes on with it, whenever that is. A
    // handle that cannot be revoked expires; that must not cost the answer.
    const operation = isPaused ? "keep_handle" : "revoke_handle";
    if (!task.leave.aborted)
      await (isPaused ? retryTransient(() => tokens.keep(grant)) : tokens.revoke(grant)).catch((failure: unknown) =>
        emit("handle_not_revoked", { operation, failure }),
      );
  }
}

/** Returns the outcome of a succeeded task, with the files that may be attached. Its text has no mentions yet. */
export function doneBy(
  { policy, limits }: WorkspaceContext,
  answer: TaskSucceeded,
  { isWorkflow, reference }: { readonly isWorkflow: boolean; readonly reference: string },
): Done {
  const { response_text, progress, task_id: taskId } = answer;
  const agent = isWorkflow ? undefined : answer.agent;
  const fileRules = { types: policy.current().file_types, maxBytes: limits.MAX_FILE };
  const { files, note } = judgeAnswerFiles(answer.files, fileRules);
  return {
    state: "done",
    ...introduced(answer, `${response_text}${note}`, { isWorkflow }),
    people: new Set(),
    agent,
    // The reply to a question of the agent is the person's own.
    controls: answer.awaits === undefined ? answerControls(reference, agent, answer.follow_ups) : undefined,
    progress: progress !== undefined && progress.steps.length > 0 ? progress : undefined,
    files: files.length > 0 && taskId !== undefined ? { taskId, files } : undefined,
  };
}

/** Said by a task that says nothing else. */
const waits = "_I need a decision before I can go on._";

/** Said by a task that waits for a time or an event. Slack shows the time in the zone of its reader. */
const sleeps = ({ resumes_at }: TaskInputRequired): string =>
  resumes_at === undefined
    ? "_I wait for an event, and go on by myself._"
    : `I go on by myself: ${timeMrkdwn(resumes_at)}.`;

/** Returns the outcome of a task that waits for people. Its text has no mentions yet. */
function pausedBy(required: TaskInputRequired, is_workflow: boolean): Paused {
  const { text = "", agent } = required;
  const why = required.input_requests.length === 0 ? sleeps(required) : waits;
  const said = introduced({ ...required, awaits: undefined }, text.trim() || why, { isWorkflow: is_workflow });
  return { state: "paused", required, is_workflow, ...said, people: new Set(), agent: is_workflow ? undefined : agent };
}

/**
 * Selects the files of an answer to attach, by the same rules as files of questions. The note names the refused ones and the reasons, as
 * Markdown to append to the answer.
 */
export function judgeAnswerFiles(
  files: readonly TaskFile[] = [],
  { types, maxBytes }: FileRules,
): { readonly files: readonly TaskFile[]; readonly note: string } {
  const refused = (file: TaskFile): string | undefined => {
    const type = mediaTypeOf(file.media_type);
    if (!isAllowedType(type, types)) return `files of the type ${type} are not allowed here`;
    return file.size > maxBytes ? `it is larger than ${Math.floor(maxBytes / 1_000_000)} MB` : undefined;
  };
  const notes = files.flatMap((file) => {
    const why = refused(file);
    return why === undefined ? [] : [`\n\n_The file ${oneLine(file.name, 80)} is not attached: ${why}._`];
  });
  return { files: files.filter((file) => refused(file) === undefined), note: notes.join("") };
}
