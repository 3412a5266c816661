import type { TaskSucceeded, ZoneMethods, TaskFile } from "@crosszone/contracts";
import type { CallOptions, Client } from "@crosszone/jsonrpc";
import { retryTransient } from "@crosszone/sql";
import { type Clock, retry } from "@crosszone/service-kit/timing";
import type { Inbox } from "../../inbox/inbox.ts";
import type { LeasedRecord, Question } from "../../inbox/records.ts";
import type { Standing, ThreadConversation } from "../../inbox/thread-store.ts";
import { type FileRules, isAllowedType, mediaTypeOf } from "../../slack/files/check-file.ts";
import type { SlackApi, SlackIdentity } from "../../slack/slack-api.ts";
import type { HandleGrant, TaskTokens } from "../../zone-link/handles/handles.ts";
import { introduced } from "../markdown/compose-answer.ts";
import { agentsList } from "../sentences/agents-list.ts";
import { withNearNames } from "../sentences/no-such-agent.ts";
import { runTask, type TaskTimes } from "../tasks/run-task.ts";
import type { RunningTask } from "../tasks/running-tasks.ts";
import type { TaskViewer } from "../tasks/task-events.ts";
import { readThreadHistory, taskParams, type ThreadHistory } from "../tasks/task-input.ts";
import { listSession, zoneRetry } from "../tasks/zone-retry.ts";
import { meantCommand } from "./message-command.ts";
import { type QuestionEvents, taskRetried } from "./question-events.ts";
import type { TaskOutcome } from "./task-outcome.ts";
import { oneLine } from "../markdown/neutralise.ts";

export interface AnswerQuestionDeps {
  readonly zone: Client<ZoneMethods>;
  readonly slack: SlackApi;
  readonly identity: SlackIdentity;
  readonly inbox: Inbox;
  /** The agent that the policy file assigns to a channel; undefined when it assigns none. */
  readonly agentOfChannel: (channel: string) => string | undefined;
  /** Which files of answers are attached. */
  readonly fileRules: Pick<FileRules, "types" | "maxBytes">;
  readonly tokens: TaskTokens;
  readonly clock: Clock;
  readonly times: TaskTimes;
  /** Rejects when the policy does not allow the files that were found for a question. */
  readonly admitFiles: (record: Question) => Promise<void>;
  /** Takes over work that nothing awaits. The work never rejects. */
  readonly background: (work: Promise<void>) => void;
}

/** Receives what a question shows while it is being answered. */
interface AnswerViewer extends Pick<TaskViewer, "onProgress" | "onText"> {
  /** Called with the people that the answer can mention, before any text. */
  readonly onPeople: (people: ReadonlySet<string>) => void;
}

type Done = Extract<TaskOutcome, { state: "done" }>;

const emptyQuestion =
  "What can I do for you? Write your question after my name, or `agents` to see who can answer and what I can run.";
const historyTimeoutMs = 2_000;

/** What answers one question. */
interface Asking extends AnswerViewer {
  readonly task: RunningTask;
  readonly emit: QuestionEvents["emit"];
  readonly standing: Promise<Standing>;
}

/** Returns the answer to one question without posting it. Rejects with the error, or with the reason why the task was ended. */
export async function answerQuestion(
  deps: AnswerQuestionDeps,
  leased: LeasedRecord<"ask">,
  asking: Asking,
): Promise<Done> {
  const { record, attempt } = leased;
  const { task, emit, standing } = asking;
  const { isStopped, conversation } = await standing;
  if (isStopped) task.end("stopped");
  // An earlier attempt may have started a task, which must be found and canceled.
  if (attempt === 1) task.signal.throwIfAborted();

  const listCall = { signal: task.signal, session: listSession, correlationId: record.correlation_id };
  const command = await meantCommand(record.text, { zone: deps.zone, call: listCall });
  if (command.kind === "agents") {
    const { clock, times, zone } = deps;
    const { agents } = await retry(
      () => zone.call("list_agents", {}, { ...listCall, timeoutMs: times.callTimeoutMs }),
      zoneRetry(times.retryBudgetMs, { clock, signal: task.signal, onRetry: taskRetried(asking) }),
    );
    return { state: "done", text: agentsList(agents), people: new Set() };
  }
  const question = command.kind === "stop" ? { text: record.text } : command;
  const reading = {
    ...deps,
    timeoutMs: historyTimeoutMs,
    onFailure: (failure: unknown) => emit("history_missing", { operation: "conversations.replies", failure }),
  };
  const history = await readThreadHistory(reading, record);
  if (record.files_unknown && history.files.length > 0)
    await deps.admitFiles({ ...record, files: history.files, files_unknown: false });
  const isWorkflow = command.kind === "run";
  // A workflow can run without text.
  if (question.text === "" && history.files.length === 0 && !isWorkflow)
    return { state: "done", text: emptyQuestion, people: new Set() };
  return askExecution(deps, leased, { ...asking, question, isWorkflow, history, conversation, listCall });
}

/** A question with everything that its task needs. */
interface ReadyQuestion extends Asking {
  readonly question: { readonly text: string; readonly agent?: string };
  readonly isWorkflow: boolean;
  readonly history: ThreadHistory;
  readonly conversation: ThreadConversation;
  readonly listCall: CallOptions;
}

/** Runs the question's task in execution, with a token for the files of its message. */
async function askExecution(
  deps: AnswerQuestionDeps,
  { record, attempt }: LeasedRecord<"ask">,
  ready: ReadyQuestion,
): Promise<Done> {
  const { tokens, fileRules, zone } = deps;
  const { task, emit, onProgress, onText, onPeople, history, question, isWorkflow, conversation: known } = ready;
  const { request_id: requestId, correlation_id: correlationId, channel } = record;
  const grant = grantFor(record, history);
  // A lost connection to the database must not cost the answer.
  const botToken = await retryTransient(() => tokens.issue(grant), { signal: task.leave });
  const people = new Set([record.user_id, ...history.people]);
  onPeople(people);
  try {
    const agent = known.agent ?? deps.agentOfChannel(channel);
    const conversation = { ...known, ...(agent !== undefined && { agent }) };
    const params = taskParams(record, question, { history, botToken, conversation });
    const request = { requestId, correlationId, params, isRetry: attempt > 1 };
    const viewer = {
      onAccepted: (task_id: string) => {
        task.taskId = task_id;
        emit("task_accepted", { task_id });
      },
      onProgress,
      onText,
      onRetry: taskRetried(ready),
      onCancelFailed: (failure: unknown) =>
        emit("task_cancel_failed", { task_id: task.taskId, operation: "cancel_task", failure }),
    };
    const answer = await runTask({ ...deps, ...viewer }, request, task.signal).catch(async (error: unknown) => {
      throw await withNearNames(error, { agent: params.agent, zone, call: ready.listCall });
    });
    return { people, ...doneBy(answer, fileRules, isWorkflow) };
  } finally {
    // The next attempt at the record has the same task and the same handle, so keep the handle for it. A handle that cannot be revoked
    // expires; that must not cost the answer.
    if (!task.leave.aborted)
      await tokens
        .revoke(grant)
        .catch((failure: unknown) => emit("handle_not_revoked", { operation: "revoke_handle", failure }));
  }
}

function grantFor(
  { request_id, correlation_id, team_id, org_id, channel }: Question,
  history: ThreadHistory,
): HandleGrant {
  const file_ids = history.files.flatMap(({ id }) => id ?? []);
  return { request_id, correlation_id, team_id, org_id, channel, file_ids };
}

/** Returns the outcome of a succeeded task, with the files that may be attached. */
export function doneBy(
  answer: TaskSucceeded,
  fileRules: AnswerQuestionDeps["fileRules"],
  isWorkflow: boolean,
): Omit<Done, "people"> {
  const { response_text, progress, task_id: taskId, agent } = answer;
  const { files, note } = judgeAnswerFiles(answer.files, fileRules);
  return {
    state: "done",
    ...introduced(answer, `${response_text}${note}`, { isWorkflow }),
    ...(!isWorkflow && agent !== undefined && { agent }),
    ...(progress !== undefined && progress.steps.length > 0 && { progress }),
    ...(files.length > 0 && taskId !== undefined && { files: { taskId, files } }),
  };
}

interface JudgedFiles {
  readonly files: readonly TaskFile[];
  /** A note that names the refused files and the reasons, as Markdown to append to the answer; empty without refused files. */
  readonly note: string;
}

/** Selects the files of an answer to attach, by the same rules as files of questions. */
export function judgeAnswerFiles(
  files: readonly TaskFile[] = [],
  { types, maxBytes }: Pick<FileRules, "types" | "maxBytes">,
): JudgedFiles {
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
