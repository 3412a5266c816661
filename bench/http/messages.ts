import type { ExecuteTaskParams } from "@crosszone/contracts";

/** The sizes of request that are measured, bytes of the body. */
export const sizes = { "300 B": 300, "16 KB": 16_000 } as const;
export type SizeName = keyof typeof sizes;
export const sizeNames = Object.keys(sizes) as SizeName[];

/** The answer of every server, and what every client expects. */
export const answerText =
  "The next release is planned for Thursday. Two tasks are still open: the notes for it, and a look at the new limits.";

/** The method of a request: `execute_task` of the zone contract, or `SendMessage` of A2A 1.0 with the same text. */
export type Dialect = "execute_task" | "a2a";

/** The placeholder of a request's id: every request gets its own id. */
export const idPlace = "00000000-0000-4000-8000-000000000000";

/** A JSON-RPC 2.0 request of that size, as text. */
export function requestText(dialect: Dialect, size: SizeName): string {
  const write = (text: string): string =>
    JSON.stringify({
      jsonrpc: "2.0",
      ...(dialect === "execute_task"
        ? { method: "execute_task", params: executeTaskParams(text) }
        : { method: "SendMessage", params: { message: a2aMessage(text) } }),
      id: idPlace,
    });
  return write(textOf(sizes[size] - write("").length));
}

/** The parameters of an `execute_task` request of about that size. */
export function paramsOf(size: SizeName): ExecuteTaskParams {
  return (JSON.parse(requestText("execute_task", size)) as { params: ExecuteTaskParams }).params;
}

/** The successful result of `execute_task`. */
export function successResult(text: string = answerText): { status: "success"; response_text: string } {
  return { status: "success", response_text: text };
}

function executeTaskParams(text: string): ExecuteTaskParams {
  return {
    channel: "C0123456789",
    text,
    bot_token: "handle-1f0d7c52",
    correlation_id: "5b0e2a9c",
    thread_ts: "1763611200.000100",
  };
}

function a2aMessage(text: string): object {
  return { messageId: "5b0e2a9c", role: "ROLE_USER", parts: [{ text }] };
}

/** Lines of words that take exactly that many bytes inside a JSON string; a line break takes two. */
export function textOf(bytes: number): string {
  const line = "What is planned for the next release, and which tasks are still open today?";
  const lines = Array.from({ length: Math.ceil(bytes / line.length) }, () => line).join("\n");
  let text = lines.slice(0, bytes);
  while (JSON.stringify(text).length - 2 > bytes) text = text.slice(0, -1);
  return text.padEnd(text.length + bytes - (JSON.stringify(text).length - 2), ".");
}
