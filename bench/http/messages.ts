import type { ExecuteTaskParams } from "@crosszone/contracts";

/** The answer of every server, and what the load expects. */
export const answerText =
  "The next release is planned for Thursday. Two tasks are still open: the notes for it, and a look at the new limits.";

/** The method of a request: `execute_task` of the zone contract, or `SendMessage` of A2A 1.0 with the same text. */
export type Dialect = "execute_task" | "a2a";

/** The placeholder of a request's id: every request gets its own id. */
export const idPlace = "00000000-0000-4000-8000-000000000000";

/** A JSON-RPC 2.0 request of about 300 bytes, as text. */
export const requestText = (dialect: Dialect): string =>
  JSON.stringify({
    jsonrpc: "2.0",
    ...(dialect === "execute_task"
      ? { method: "execute_task", params }
      : {
          method: "SendMessage",
          params: { message: { messageId: "5b0e2a9c", role: "ROLE_USER", parts: [{ text }] } },
        }),
    id: idPlace,
  });

const text = "What is planned for the next release, and which tasks are still open today?";

const params: ExecuteTaskParams = {
  channel: "C0123456789",
  text,
  bot_token: "handle-1f0d7c52",
  correlation_id: "5b0e2a9c",
  thread_ts: "1763611200.000100",
};

/** The successful result of `execute_task`. */
export const successResult = { status: "success", response_text: answerText } as const;
