import { isDeepStrictEqual } from "node:util";
import { answerText, idPlace, requestText, sizeNames, successResult, type Dialect } from "../messages.ts";
import type { ServerUnderTest } from "./servers.ts";

/** Asks a server once a size, and throws unless the answers are right to the last member that counts. */
export async function checkServer(name: string, url: string, { dialect, headers }: ServerUnderTest): Promise<void> {
  for (const size of sizeNames) {
    const id = crypto.randomUUID();
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: requestText(dialect, size).replace(idPlace, id),
    });
    const text = await response.text();
    const right = response.status === 200 && isAnswer(JSON.parse(text), id, dialect);
    if (!right) throw new Error(`${name} gives a wrong answer to ${size}: ${response.status} ${text.slice(0, 500)}`);
  }
}

interface AnyAnswer {
  jsonrpc?: unknown;
  id?: unknown;
  result?: { status?: unknown; response_text?: unknown; message?: A2aMessage; task?: { status?: A2aStatus } };
}

interface A2aMessage {
  role?: unknown;
  parts?: { text?: unknown }[];
}

interface A2aStatus {
  state?: unknown;
  message?: A2aMessage;
}

function isAnswer({ jsonrpc, id, result }: AnyAnswer, sentId: string, dialect: Dialect): boolean {
  if (jsonrpc !== "2.0" || id !== sentId) return false;
  if (dialect === "a2a") {
    const { state = "TASK_STATE_COMPLETED", message = result?.message } = result?.task?.status ?? {};
    return (
      state === "TASK_STATE_COMPLETED" && message?.role === "ROLE_AGENT" && message.parts?.[0]?.text === answerText
    );
  }
  return isDeepStrictEqual({ status: result?.status, response_text: result?.response_text }, successResult());
}
