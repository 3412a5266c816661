import type { ExecuteTaskParams } from "@crosszone/contracts";

/** The answer of every server, and what the load expects. */
export const answerText =
  "The next release is planned for Thursday. Two tasks are still open: the notes for it, and a look at the new limits.";

/** The method of a request: `execute_task` of the zone contract, `SendMessage` of A2A 1.0 with the same text, or `GetTask` of its task. */
export type Dialect = "execute_task" | "a2a" | "a2a-get";

/** A piece of a streamed answer. */
export const chunk = "Two tasks are still open for the release. ";

/** The text of a question that is answered in chunks. */
export const inChunks = (count: number): string => `chunks ${count}`;

/** Returns how many chunks a question wants; 0 for an answer at once. */
export const chunksIn = (question: string): number => Number(/^chunks (\d+)$/.exec(question)?.[1] ?? 0);

/** The placeholder of a request's id: every request gets its own id. */
export const idPlace = "00000000-0000-4000-8000-000000000000";

/** A JSON-RPC 2.0 request of about 300 bytes, as text. `taskId`: for `GetTask`. */
export const requestText = (dialect: Dialect, taskId = ""): string =>
  JSON.stringify({ jsonrpc: "2.0", ...calls(taskId)[dialect], id: idPlace });

const text = "What is planned for the next release, and which tasks are still open today?";

const params: ExecuteTaskParams = {
  channel: "C0123456789",
  text,
  bot_token: "handle-1f0d7c52",
  correlation_id: "5b0e2a9c",
  thread_ts: "1763611200.000100",
};

/** Each message has its own id: a server may take the same one for a retry. */
const message = { messageId: idPlace, role: "ROLE_USER", parts: [{ text }] };

const calls = (id: string): Readonly<Record<Dialect, object>> => ({
  execute_task: { method: "execute_task", params },
  a2a: { method: "SendMessage", params: { message } },
  "a2a-get": { method: "GetTask", params: { id } },
});

/** The successful result of `execute_task`. */
export const successResult = { status: "success", response_text: answerText } as const;
