import { hash, randomUUID } from "node:crypto";
import { ZoneError } from "@crosszone/contracts";
import { canonicalJson } from "@crosszone/service-kit/json";
import type { Agent } from "../../agents/agent.ts";
import { attachmentsOf, othersOfMessage, textOfMessage } from "../task-files.ts";
import type { TaskStore } from "../store/task-store.ts";
import type { TaskRunner } from "../task-runner.ts";
import type { ProgramMessage, Task } from "../task.ts";
import { type AskRequest, defaultStoredBytes } from "./asker.ts";

/** How long a count is used, milliseconds, and if that is longer, how often as long as it took. */
const countedForMs = 1_000;
const timesAsLong = 50;
/** Operators are told when this part of a limit is used. */
const nearlyAll = 0.8;
/** Smaller limits are counted for every task. */
const leastLimit = 100;
/** More programs than this are counted anew. */
const mostPrograms = 10_000;

interface ProgramRoomOptions {
  readonly count: (actor: string) => Promise<number>;
  readonly isExact: boolean;
  /** Called once when a program nears its limit, and once when it is refused, until it has room again. */
  readonly onShort?: (actor: string, state: "near" | "full", most: number) => void;
}

/**
 * Limits what programs have: open tasks, stored bytes. A count holds for a second, with what was added here since, so most tasks need no query.
 * Several processes can exceed a limit together within that second. `isExact`: whether what is near its limit, or has a small one, is counted for
 * every task.
 */
export class ProgramRoom {
  readonly #options: ProgramRoomOptions;
  readonly #counted = new Map<string, { count: number; until: number; told?: "near" | "full" | undefined }>();

  constructor(options: ProgramRoomOptions) {
    this.#options = options;
  }

  /** Returns whether a program's limit has room for this much more, and counts it. */
  async hasRoom(actor: string, most: number, more = 1): Promise<boolean> {
    const { count, isExact } = this.#options;
    let known = this.#counted.get(actor);
    const began = performance.now();
    const isRecent = known !== undefined && began < known.until;
    if (known === undefined || !isRecent || (isExact && (most < leastLimit || known.count >= most / 2))) {
      known = { count: await count(actor), until: 0, told: known?.told };
      known.until = performance.now() + Math.max(countedForMs, timesAsLong * (performance.now() - began));
      if (this.#counted.size >= mostPrograms) this.#counted.clear();
      this.#counted.set(actor, known);
    }
    const hasRoom = known.count + more <= most;
    if (hasRoom) known.count += more;
    const state = !hasRoom ? "full" : known.count >= nearlyAll * most ? "near" : undefined;
    if (state === "full" ? known.told !== "full" : state !== undefined && known.told === undefined)
      this.#options.onShort?.(actor, state as "near" | "full", most);
    known.told = state === "near" ? (known.told ?? "near") : state;
    return hasRoom;
  }
}

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
  readonly store: TaskStore;
  /** Limits the open tasks of programs, and what is stored for them, bytes. */
  readonly open: ProgramRoom;
  readonly stored: ProgramRoom;
  readonly taskDeadlineMs: number;
}

/** The most times that a question is passed on from zone to zone. */
const mostHops = 8;

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

export const tooMuchStored = (bytes: number): ZoneError => {
  const message = `what is stored for this program, such as questions, answers, runs and events, reaches its limit of ${bytes / 1_000_000} MB. Wait until what has ended is deleted, or ask the people who run this service to raise stored_mb`;
  return new ZoneError("rate_limited", { retry_after_ms: 60_000, problems: [{ pointer: "", message }] });
};

const invalid = (message: string): ZoneError =>
  new ZoneError("invalid_params", { problems: [{ pointer: "", message }] });
