import { randomUUID } from "node:crypto";
import { type A2AAgentCard, type A2AMessage, isA2AMessageSendRequest } from "@crosszone/contracts";
import type { SampleAgent } from "../samples/samples.ts";
import { createTasks } from "./a2a-tasks.ts";
import { memberOf, type Protocol, textMember } from "./protocol.ts";

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
