import { objectOf, stringOf, type JsonObject } from "../wire/json.ts";
import { partsOf } from "../a2a/read-task.ts";
import { hasEnded, isWaiting, messageIn, newTask, setState, shown, work, type GoodTask } from "./good-tasks.ts";

/** A JSON-RPC error. The message is the reason. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;

  constructor(code: number, reason: string) {
    super(reason);
    this.code = code;
  }
}

export interface Subscription {
  readonly subscribe: (publish: (event: JsonObject) => void, end: () => void) => void;
}

/** A result, or the events of a stream. */
export type Outcome = JsonObject | Subscription;

export const isStream = (outcome: Outcome): outcome is Subscription => typeof outcome["subscribe"] === "function";

type Method = (params: JsonObject) => Promise<Outcome>;

/** The methods of A2A 1.0. */
export type GoodMethods = Readonly<
  Record<
    | "SendMessage"
    | "SendStreamingMessage"
    | "GetTask"
    | "ListTasks"
    | "CancelTask"
    | "SubscribeToTask"
    | "CreateTaskPushNotificationConfig"
    | "GetExtendedAgentCard",
    Method
  >
>;

const notFound = (): RpcError => new RpcError(-32001, "TASK_NOT_FOUND");
const invalid = (): RpcError => new RpcError(-32602, "INVALID_PARAMS");
const unsupported = (): RpcError => new RpcError(-32004, "UNSUPPORTED_OPERATION");

export function createGoodMethods(): { readonly methods: GoodMethods; readonly tasks: Map<string, GoodTask> } {
  const tasks = new Map<string, GoodTask>();
  const taskOf = ({ id }: JsonObject): GoodTask => {
    if (typeof id !== "string") throw invalid();
    const task = tasks.get(id);
    if (!task) throw notFound();
    return task;
  };
  const accept = (params: JsonObject): GoodTask => {
    const message = messageIn(params);
    const { messageId, role, taskId, contextId } = message ?? {};
    if (!message || typeof messageId !== "string" || role !== "ROLE_USER" || partsOf(message).length === 0)
      throw invalid();
    const known = [...tasks.values()].find(({ messageIds }) => messageIds.includes(messageId));
    if (known) return known;
    const task = taskId === undefined ? newTask(stringOf(contextId) ?? crypto.randomUUID()) : taskOf({ id: taskId });
    if (contextId !== undefined && task.contextId !== contextId) throw invalid();
    if (hasEnded(task)) throw unsupported();
    tasks.set(task.id, task);
    task.messageIds.push(messageId);
    const { role: _role, ...rest } = message;
    task.history.push({ ...rest, role: "ROLE_USER", parts: [{ text: partsOf(message)[0]?.["text"] ?? "" }] });
    void work(task, message);
    return task;
  };
  return { tasks, methods: methodsOf({ tasks, taskOf, accept }) };
}

interface Store {
  readonly tasks: ReadonlyMap<string, GoodTask>;
  readonly taskOf: (params: JsonObject) => GoodTask;
  readonly accept: (params: JsonObject) => GoodTask;
}

function methodsOf({ tasks, taskOf, accept }: Store): GoodMethods {
  return {
    SendMessage: async (params) => {
      const task = accept(params);
      if (objectOf(params["configuration"])?.["returnImmediately"] !== true) await untilIdle(task);
      return { task: shown(task) };
    },
    SendStreamingMessage: async (params) => follow(accept(params)),
    GetTask: async (params) => shown(taskOf(params), params["historyLength"]),
    ListTasks: async ({ contextId, pageSize = 50 }) => {
      const all = [...tasks.values()].filter((task) => contextId === undefined || task.contextId === contextId);
      const sorted = all.toSorted((a, b) => String(b.status["timestamp"]).localeCompare(String(a.status["timestamp"])));
      const page = sorted.slice(0, Number(pageSize)).map((task) => {
        const { artifacts: _artifacts, ...rest } = shown(task);
        return rest;
      });
      return { tasks: page, nextPageToken: "", pageSize, totalSize: all.length };
    },
    CancelTask: async (params) => {
      const task = taskOf(params);
      if (hasEnded(task)) throw new RpcError(-32002, "TASK_NOT_CANCELABLE");
      setState(task, "CANCELED");
      task.stop.abort();
      return shown(task);
    },
    SubscribeToTask: async (params) => {
      const task = taskOf(params);
      if (hasEnded(task)) throw unsupported();
      return follow(task);
    },
    CreateTaskPushNotificationConfig: async () => {
      throw new RpcError(-32003, "PUSH_NOTIFICATION_NOT_SUPPORTED");
    },
    GetExtendedAgentCard: async () => {
      throw unsupported();
    },
  };
}

const isIdle = (task: GoodTask): boolean => hasEnded(task) || isWaiting(task);

async function untilIdle(task: GoodTask): Promise<void> {
  if (isIdle(task)) return;
  await new Promise<void>((resolve) => {
    task.listeners.add(() => {
      if (isIdle(task)) resolve();
    });
  });
}

const follow = (task: GoodTask): Subscription => ({
  subscribe: (publish, end) => {
    publish({ task: shown(task) });
    if (isIdle(task)) return end();
    task.listeners.add((event) => {
      publish(event);
      if (isIdle(task)) end();
    });
  },
});
