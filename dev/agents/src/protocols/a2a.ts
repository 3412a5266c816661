import { randomUUID } from "node:crypto";
import { type A2AAgentCard, type A2AMessage, isA2AMessageSendRequest, type A2ATask } from "@crosszone/contracts";
import { memberOf, type Protocol, textMember } from "./protocol.ts";
import type { SampleAgent } from "../samples/samples.ts";

/** Returns an agent's A2A card. https://a2a-protocol.org/v0.3.0/specification/#5-agent-discovery-the-agent-card */
export function agentCard({ name, description, skills }: SampleAgent, url: string): A2AAgentCard {
  return {
    protocolVersion: "0.3.0",
    name,
    description,
    url,
    version: "0.1.0",
    preferredTransport: "JSONRPC",
    capabilities: { streaming: false, pushNotifications: false },
    defaultInputModes: ["text/plain"],
    defaultOutputModes: ["text/plain"],
    skills: [...skills],
  };
}

/**
 * An A2A 0.3 agent over JSON-RPC 2.0: `message/send` returns a message, or a task for `tasks/get` and `tasks/cancel`. A task takes `taskMs`
 * milliseconds. https://a2a-protocol.org/v0.3.0/specification/#7-protocol-rpc-methods
 */
export function speakA2A({ work, takesTime }: Pick<SampleAgent, "work" | "takesTime">, taskMs: number): Protocol {
  const tasks = createTasks(work);
  const idOf = (body: unknown): string => textMember(body, "id");

  function answer(body: unknown, asTask: boolean): object {
    const id = memberOf(body, "id") ?? null;
    const succeed = (result: object): object => ({ jsonrpc: "2.0", id, result });
    const fail = (code: number, message: string): object => ({ jsonrpc: "2.0", id, error: { code, message } });
    const method = memberOf(body, "method");
    if (memberOf(body, "jsonrpc") !== "2.0" || typeof method !== "string")
      return fail(-32600, "A request of JSON-RPC 2.0 has jsonrpc and a method.");
    switch (method) {
      case "message/send": {
        if (!isA2AMessageSendRequest(body))
          return fail(-32602, "The params of message/send have a message with parts.");
        const { message } = body.params;
        const { taskId, contextId = randomUUID(), messageId } = message;
        if (taskId !== undefined && tasks.get(taskId) === undefined) return fail(-32001, unknownTask);
        if (taskId !== undefined) return fail(-32004, "A task of this agent takes one message.");
        const text = textOf(message);
        if (!takesTime && !asTask) return succeed(messageOf(work(text)));
        return succeed(tasks.begin(messageId, { text, contextId, takesMs: taskMs }));
      }
      case "tasks/get":
      case "tasks/cancel": {
        const taskId = memberOf(memberOf(body, "params"), "id");
        const task = tasks.get(taskId);
        if (task === undefined) return fail(-32001, unknownTask);
        if (method === "tasks/get") return succeed(task);
        const canceled = tasks.cancel(taskId);
        return canceled === undefined ? fail(-32002, "The task has ended.") : succeed(canceled);
      }
      default:
        return fail(-32601, "This agent has the methods message/send, tasks/get and tasks/cancel.");
    }
  }

  return {
    idOf,
    idMember: "id",
    answer: (body, { asTask }) => answer(body, asTask),
    refuse: (body, why) => ({
      jsonrpc: "2.0",
      id: memberOf(body, "id") ?? null,
      error: { code: -32000, message: why },
    }),
  };
}

const unknownTask = "There is no task of that id.";

function messageOf(text: string): A2AMessage {
  return { kind: "message", role: "agent", messageId: randomUUID(), parts: [{ kind: "text", text }] };
}

/** The first text part is the person's text. An optional second one has context as JSON. */
function textOf({ parts }: A2AMessage): string {
  return parts.find((part) => part.kind === "text")?.text ?? "";
}

/** The oldest task is dropped for a new one. */
const mostTasks = 1_000;

interface Begun {
  readonly id: string;
  readonly contextId: string;
  readonly text: string;
  /** Monotonic milliseconds. */
  readonly doneAt: number;
  canceled: boolean;
}

/** Long-running tasks, in memory. Their state depends on the clock. */
interface Tasks {
  /** Starts a task. Repeating a message, as after a lost response, returns the same task. */
  begin(messageId: string, what: Pick<Begun, "text" | "contextId"> & { readonly takesMs: number }): A2ATask;
  get(id: unknown): A2ATask | undefined;
  /** Cancels a running task; undefined if none with this id is running. */
  cancel(id: unknown): A2ATask | undefined;
}

function createTasks(work: (text: string) => string): Tasks {
  const byMessage = new Map<string, Begun>();
  const find = (id: unknown): Begun | undefined => byMessage.values().find((task) => task.id === id);

  function show({ id, contextId, text, doneAt, canceled }: Begun): A2ATask {
    const task = { kind: "task", id, contextId } as const;
    if (canceled) return { ...task, status: { state: "canceled" } };
    if (performance.now() < doneAt) return { ...task, status: { state: "working" } };
    const artifacts = [{ artifactId: "answer", parts: [{ kind: "text" as const, text: work(text) }] }];
    return { ...task, status: { state: "completed" }, artifacts };
  }

  return {
    begin: (messageId, { text, contextId, takesMs }) => {
      const known = byMessage.get(messageId);
      if (known !== undefined) return show(known);
      const begun = { id: randomUUID(), contextId, text, doneAt: performance.now() + takesMs, canceled: false };
      byMessage.set(messageId, begun);
      const [oldest] = byMessage.keys();
      if (byMessage.size > mostTasks && oldest !== undefined) byMessage.delete(oldest);
      return show(begun);
    },
    get: (id) => {
      const task = find(id);
      return task && show(task);
    },
    cancel: (id) => {
      const task = find(id);
      if (task === undefined || task.canceled || performance.now() >= task.doneAt) return undefined;
      task.canceled = true;
      return show(task);
    },
  };
}
