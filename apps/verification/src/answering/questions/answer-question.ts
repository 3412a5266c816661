import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import { patiently } from "@crosszone/sql";
import type { Clock } from "../../time/clock.ts";
import type { TaskTokens } from "../../zone-link/handles/handles.ts";
import type { Question, Inbox, LeasedRecord } from "../../inbox/inbox.ts";
import { meantCommand } from "./meant-command.ts";
import type { SlackApi, SlackIdentity } from "../../slack/slack-api.ts";
import { judgeAnswerFiles } from "./judge-answer-files.ts";
import type { FileRules } from "../../slack/files/judge-file.ts";
import { introduced } from "../markdown/introduced.ts";
import type { Standing } from "../../inbox/thread-store.ts";
import { agentsList } from "../sentences/agents-list.ts";
import { withNearNames } from "../sentences/no-such-agent.ts";
import { retrying } from "../../time/retry.ts";
import { runTask, type TaskTimes } from "../tasks/run-task.ts";
import type { RunningTask } from "../tasks/running-tasks.ts";
import type { TaskViewer } from "../tasks/task-events.ts";
import type { QuestionObserver } from "./question-observer.ts";
import type { TaskOutcome } from "./task-outcome.ts";
import { taskParams } from "../tasks/task-params.ts";
import { readThreadHistory } from "../tasks/thread-history.ts";
import { listSession, zoneRetry } from "../tasks/zone-retry.ts";

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
export interface AnswerViewer extends Pick<TaskViewer, "onProgress" | "onText"> {
  /** Called with the people that the answer can mention, before any text. */
  readonly onPeople: (people: ReadonlySet<string>) => void;
}

type Done = Extract<TaskOutcome, { state: "done" }>;

const emptyQuestion =
  "What can I do for you? Write your question after my name, or `agents` to see who can answer and what I can run.";
const historyTimeoutMs = 2_000;

/** Returns the answer to one question without posting it. Rejects with the error, or with the reason why the task was ended. */
export async function answerQuestion(
  deps: AnswerQuestionDeps,
  { record, attempt }: LeasedRecord<"ask">,
  {
    task,
    seen,
    standing,
    onProgress,
    onText,
    onPeople,
  }: AnswerViewer & {
    readonly task: RunningTask;
    readonly seen: QuestionObserver;
    readonly standing: Promise<Standing>;
  },
): Promise<Done> {
  // A lost connection to the database must not cost the answer.
  const patient = <T>(ask: () => Promise<T>): Promise<T> => patiently(ask, { signal: task.leave });
  const { isStopped, conversation: known } = await standing;
  if (isStopped) task.end("stopped");
  // An earlier attempt may have started a task, which must be found and canceled.
  if (attempt === 1) task.signal.throwIfAborted();

  const listCall = { signal: task.signal, session: listSession, correlationId: record.correlation_id };
  const command = await meantCommand(record.text, { zone: deps.zone, call: listCall });
  if (command.kind === "agents") return { state: "done", text: await listAgents(), people: new Set() };

  const question = command.kind === "stop" ? { text: record.text } : command;
  const history = await readThreadHistory(
    { ...deps, timeoutMs: historyTimeoutMs, onFailure: seen.historyMissing },
    record,
  );
  if (record.files_unknown && history.files.length > 0)
    await deps.admitFiles({ ...record, files: history.files, files_unknown: false });
  // A workflow can run without text.
  if (question.text === "" && history.files.length === 0 && command.kind !== "run")
    return { state: "done", text: emptyQuestion, people: new Set() };

  const { request_id: requestId, correlation_id: correlationId, team_id, org_id, channel } = record;
  const file_ids = history.files.flatMap(({ id }) => id ?? []);
  const ids = {
    request_id: requestId,
    correlation_id: correlationId,
    team_id,
    ...(org_id !== undefined && { org_id }),
  };
  const grant = { ...ids, channel, file_ids };
  const botToken = await patient(() => deps.tokens.issue(grant));
  const people = new Set([record.user_id, ...history.people]);
  onPeople(people);
  try {
    const agent = known.agent ?? deps.agentOfChannel(channel);
    const conversation = { ...known, ...(agent !== undefined && { agent }) };
    const params = taskParams(record, question, { history, botToken, conversation });
    const request = { requestId, correlationId, params, again: attempt > 1 };
    const watch = {
      onAccepted: seen.accepted,
      onProgress,
      onText,
      onRetry: seen.retried,
      onCancelFailed: seen.cancelFailed,
    };
    const answer = await runTask({ ...deps, ...watch }, request, task.signal).catch(async (error: unknown) => {
      throw await withNearNames(error, { agent: params.agent, zone: deps.zone, call: listCall });
    });
    const { response_text, progress, task_id: taskId, agent: answeredBy } = answer;
    const { files, note } = judgeAnswerFiles(answer.files, deps.fileRules);
    return {
      state: "done",
      text: introduced(answer, `${response_text}${note}`, { isWorkflow: command.kind === "run" }),
      people,
      ...(command.kind !== "run" && answeredBy !== undefined && { agent: answeredBy }),
      ...(progress !== undefined && progress.steps.length > 0 && { progress }),
      ...(files.length > 0 && taskId !== undefined && { files: { taskId, files } }),
    };
  } finally {
    // The next attempt at the record has the same task and the same handle, so keep the handle for it. A handle that cannot be revoked
    // expires; that must not cost the answer.
    if (!task.leave.aborted) await deps.tokens.revoke(grant).catch(seen.handleNotRevoked);
  }

  async function listAgents(): Promise<string> {
    const { zone, clock, times } = deps;
    const { signal } = task;
    const { agents } = await retrying(
      () => zone.call("list_agents", {}, { ...listCall, timeoutMs: times.callTimeoutMs }),
      zoneRetry(times.retryBudgetMs, { clock, signal, onRetry: seen.retried }),
    );
    return agentsList(agents);
  }
}
