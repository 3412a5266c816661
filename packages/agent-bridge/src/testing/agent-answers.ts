import type { AgentReply } from "../protocol/protocol-adapter.ts";

/** An HTTP response with a JSON body. */
export function jsonReply(value: unknown, status = 200): AgentReply {
  return textReply(JSON.stringify(value), status);
}

export function textReply(text: string, status = 200): AgentReply {
  return { status, headers: {}, body: Buffer.from(text) };
}

/** A JSON-RPC response with a result. */
export function resultOf(result: unknown, id: unknown = "t1"): object {
  return { jsonrpc: "2.0", id, result };
}

/** A task in a state. */
export function taskIn(state: unknown, members: object = {}): object {
  return { kind: "task", id: "remote-1", contextId: "ctx-1", status: { state }, ...members };
}

/** A completed task with a text. */
export function doneWith(text: string): object {
  return taskIn("completed", { artifacts: [{ artifactId: "a", parts: [{ kind: "text", text }] }] });
}
