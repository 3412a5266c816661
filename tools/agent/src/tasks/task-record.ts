import { randomUUID } from "node:crypto";
import {
  agentMessage,
  type Artifact,
  type ArtifactUpdate,
  defined,
  invalidPageToken,
  isTerminal,
  type ListRequest,
  type Part,
  type StreamEvent,
  type TaskPage,
  type TaskState,
  type TaskStatus,
  type WireMessage,
  type WireTask,
} from "@crosszone/a2a";

/** Messages that a task's history keeps. */
const maxHistory = 100;
/** Events that are kept for streams. A stream that falls further behind gets the artifacts and the status as they are then. */
const maxEvents = 1_000;

/** A task in memory, and its events for streams. */
export interface TaskRecord {
  readonly id: string;
  readonly contextId: string;
  /** The caller that it belongs to. */
  readonly owner: string;
  status: TaskStatus;
  /** Grows with each change of status: the order of tasks that changed in the same millisecond. */
  order: number;
  readonly artifacts: Artifact[];
  readonly history: WireMessage[];
  metadata: Readonly<Record<string, unknown>> | undefined;
  /** Characters of the artifacts. */
  size: number;
  /** Characters of the messages in the history. */
  receivedSize: number;
  /** The latest events; `first` is the number of the oldest one. Streams keep the log that they began with. */
  log: { readonly events: StreamEvent[]; first: number };
  /** Called at each change. */
  readonly waiters: Set<() => void>;
}

let changes = 0;

export function createTaskRecord(ids: { readonly contextId: string; readonly owner: string }): TaskRecord {
  return {
    id: randomUUID(),
    ...ids,
    status: { state: "TASK_STATE_WORKING", timestamp: new Date().toISOString() },
    order: ++changes,
    artifacts: [],
    history: [],
    metadata: undefined,
    size: 0,
    receivedSize: 0,
    log: { events: [], first: 0 },
    waiters: new Set(),
  };
}

export const isTaskEnded = ({ status }: TaskRecord): boolean => isTerminal(status.state);

/** Changes the status of a task, with words of the agent. */
export function setStatus(record: TaskRecord, state: TaskState, text?: string): void {
  const message = text === undefined ? undefined : agentMessage(idsOf(record), randomUUID(), [{ text }]);
  if (message && state === "TASK_STATE_INPUT_REQUIRED") addToHistory(record, message);
  record.status = defined({ state, timestamp: new Date().toISOString(), message });
  record.order = ++changes;
  publish(record, { statusUpdate: statusUpdateOf(record) });
  if (isTerminal(state)) record.log = { events: [], first: 0 };
}

/** Adds a message to the history. The oldest ones are dropped beyond a hundred. */
export function addToHistory(record: TaskRecord, message: WireMessage): void {
  record.history.push(message);
  const dropped = record.history.length > maxHistory ? record.history.shift() : undefined;
  record.receivedSize += sizeOf(message) - (dropped ? sizeOf(dropped) : 0);
}

/** Adds parts as an artifact, or a text to the end of an artifact that has one text. */
export function addArtifact(record: TaskRecord, artifact: Artifact, options: { readonly isLast: boolean }): void {
  const at = record.artifacts.findIndex(({ artifactId }) => artifactId === artifact.artifactId);
  const known = record.artifacts[at];
  if (known === undefined) record.artifacts.push(artifact);
  else record.artifacts[at] = { ...known, parts: [{ text: textOf(known.parts) + textOf(artifact.parts) }] };
  const update: ArtifactUpdate = { ...idsOf(record), artifact, append: known !== undefined };
  publish(record, { artifactUpdate: options.isLast ? { ...update, lastChunk: true } : update });
}

/** Returns the task as it is now. */
export function snapshotOf({ id, contextId, status, artifacts, history, metadata }: TaskRecord): WireTask {
  const shown = artifacts.length > 0 ? [...artifacts] : undefined;
  return defined({ id, contextId, status, artifacts: shown, history: [...history], metadata });
}

/** Returns the events that bring a stream up to date that has missed some. */
const catchUp = (record: TaskRecord): StreamEvent[] => [
  ...record.artifacts.map((artifact) => ({ artifactUpdate: { ...idsOf(record), artifact, append: false } })),
  { statusUpdate: statusUpdateOf(record) },
];

const idsOf = ({ id, contextId }: TaskRecord) => ({ taskId: id, contextId });

const statusUpdateOf = (record: TaskRecord) =>
  defined({ ...idsOf(record), status: record.status, metadata: record.metadata });

const sizeOf = ({ parts, metadata }: WireMessage): number => JSON.stringify([parts, metadata]).length;

const textOf = (parts: readonly Part[]): string => parts.map(({ text }) => text ?? "").join("");

function publish({ log, waiters }: TaskRecord, event: StreamEvent): void {
  log.events.push(event);
  if (log.events.length > maxEvents) log.first += log.events.splice(0, maxEvents / 2).length;
  for (const wake of waiters) wake();
}

/** The events of a task for one stream. */
export type EventReader = ReturnType<typeof createTaskReader>;

/**
 * Reads a task as it is now, then its events until it ends or asks a question. A reader is only a position in the events
 * that the task keeps for all of them, so a slow reader takes no memory.
 */
export function createTaskReader(record: TaskRecord) {
  const { log, waiters } = record;
  let isClosed = false;
  let wake: (() => void) | undefined;
  let at = log.first + log.events.length;
  const ahead: StreamEvent[] = [{ task: snapshotOf(record) }];
  const take = (): StreamEvent | undefined => {
    if (ahead.length === 0 && at < log.first) {
      ahead.push(...catchUp(record));
      at = log.first + log.events.length;
    }
    return ahead.shift() ?? (at < log.first + log.events.length ? log.events[at++ - log.first] : undefined);
  };
  /** Resolves with the next event; undefined when the stream ends. */
  const next = async (): Promise<StreamEvent | undefined> => {
    while (!isClosed) {
      const event = take();
      if (event !== undefined) {
        isClosed = isLast(event) && ahead.length === 0;
        return event;
      }
      await new Promise<void>((resolve) => waiters.add((wake = resolve)));
      if (wake) waiters.delete(wake);
    }
    return undefined;
  };
  /** Ends the stream. The task goes on. */
  const close = (): void => {
    isClosed = true;
    wake?.();
  };
  return { next, close };
}

function isLast(event: StreamEvent): boolean {
  if ("task" in event) return isTerminal(event.task.status.state);
  return "statusUpdate" in event && event.statusUpdate.status.state !== "TASK_STATE_WORKING";
}

/** Resolves when a task has ended or asks a question. */
export async function untilIdle(record: TaskRecord): Promise<void> {
  while (record.status.state === "TASK_STATE_WORKING") {
    let wake: (() => void) | undefined;
    await new Promise<void>((resolve) => record.waiters.add((wake = resolve)));
    if (wake) record.waiters.delete(wake);
  }
}

/** Returns a page of tasks, the last changed first. Throws an `RpcError` for an invalid token. */
export function listTasks(records: readonly TaskRecord[], request: ListRequest): TaskPage {
  const before = readToken(request.pageToken);
  const wanted = records.filter((record) => isWanted(record, request)).toSorted((a, b) => b.order - a.order);
  const rest = wanted.filter(({ order }) => order < before);
  const page = rest.slice(0, request.pageSize);
  const last = page.at(-1);
  return {
    tasks: page.map(snapshotOf),
    next: last !== undefined && rest.length > page.length ? writeToken(last.order) : undefined,
    total: wanted.length,
  };
}

const isWanted = (record: TaskRecord, { contextId, state, changedSince = 0 }: ListRequest): boolean =>
  (contextId === undefined || record.contextId === contextId) &&
  (state === undefined || record.status.state === state) &&
  Date.parse(record.status.timestamp) >= changedSince;

const writeToken = (order: number): string => Buffer.from(`after:${order}`).toString("base64url");

function readToken(token: string | undefined): number {
  if (token === undefined) return Infinity;
  const [, order] = /^after:(\d{1,15})$/.exec(Buffer.from(token, "base64url").toString()) ?? [];
  if (order === undefined) throw invalidPageToken();
  return Number(order);
}
