import { hash, randomUUID } from "node:crypto";
import { ZoneError } from "@crosszone/contracts";
import { canonicalJson } from "@crosszone/service-kit/json";
import type { Agent } from "../agents/agent.ts";
import { attachmentsOf, othersOfMessage, textOfMessage } from "../tasks/message-files.ts";
import type { TaskStore } from "../tasks/sql/task-store.ts";
import type { TaskRunner } from "../tasks/task-runner.ts";
import type { ProgramMessage, Task } from "../tasks/task.ts";
import { type AskRequest, defaultStoredBytes } from "./asker.ts";
import type { ProgramRoom } from "./program-room.ts";

export interface ProgramQuestion {
  readonly agent: Agent;
  readonly message: ProgramMessage;
  /** A new one when absent. */
  readonly contextId?: string | undefined;
  /** The same key of the same program is the same task. */
  readonly key: string;
  readonly hops?: number;
}

export interface SubmitParts {
  readonly runner: TaskRunner;
  readonly store: Pick<TaskStore, "asked" | "log" | "findByKey">;
  /** Limits the open tasks of programs, and what is stored for them, bytes. */
  readonly open: ProgramRoom;
  readonly stored: ProgramRoom;
  readonly taskDeadlineMs: number;
}

/** The most times that a question is passed on from zone to zone. */
export const mostHops = 8;

/**
 * Stores a task and starts it, or returns the task of the same key. Throws `invalid_params` when that one has another question or the question
 * was passed on too often, `rate_limited` when the program has too many open tasks or too much stored, or the zone has no room.
 */
export async function submitQuestion(
  parts: SubmitParts,
  { asker, surface, correlationId, traceparent, call }: AskRequest,
  question: ProgramQuestion,
): Promise<Task> {
  const { runner, store, open, stored, taskDeadlineMs } = parts;
  const { agent, message, contextId, hops = 0 } = question;
  if (hops >= mostHops) throw invalid(`the question was passed on ${hops} times: the agents ask each other in a loop`);
  const { actor, agents, openTasks, storedBytes = defaultStoredBytes, budget = surface } = asker;
  const key = JSON.stringify(question.key);
  const asks = canonicalJson([agent.name, contextId ?? null, message.parts]);
  const full = !(await stored.hasRoom(actor, storedBytes, Buffer.byteLength(asks)))
    ? tooMuchStored(storedBytes)
    : !(await open.hasRoom(actor, openTasks)) && new ZoneError("rate_limited", { retry_after_ms: 1_000 });
  if (full && !(await store.findByKey(actor, key))) throw full;
  const context_id = contextId ?? randomUUID();
  const asked = {
    caller: actor,
    key,
    fingerprint: digestOf(asks),
    correlation_id: correlationId,
    traceparent,
    agent: agent.name,
    ask: { surface, context_id, hops, call },
    params: {
      channel: budget,
      user_id: actor,
      text: textOfMessage(message),
      others: othersOfMessage(message),
      attachments: attachmentsOf(message),
      // Tells nothing of the program, and two programs can't share a conversation.
      context_id: digestOf(JSON.stringify([actor, context_id])),
      message,
      agents,
    },
    deadline_ms: taskDeadlineMs,
  };
  const task = await runner.submit(asked, agent);
  if (task.fingerprint !== asked.fingerprint) throw invalid("the idempotency key belongs to another message");
  return task;
}

const digestOf = (text: string): string => hash("sha256", text, "base64url");

const tooMuchStored = (bytes: number): ZoneError => {
  const message = `the questions and answers stored for this program reach its limit of ${bytes / 1_000_000} MB. Ended tasks are deleted after TASK_RETENTION. Wait for that, or have stored_mb raised in ASK_FILE`;
  return new ZoneError("rate_limited", { retry_after_ms: 60_000, problems: [{ pointer: "", message }] });
};

const invalid = (message: string): ZoneError =>
  new ZoneError("invalid_params", { problems: [{ pointer: "", message }] });
