import { isDeepStrictEqual } from "node:util";
import { answerText, idPlace, requestText, sizeNames, successResult, type Dialect } from "../requests/messages.ts";
import type { ServerUnderTest } from "./servers.ts";

/** Sends a server one request of each size. Throws unless the answers are right to the last member that counts. */
export async function checkServer(name: string, url: string, { dialect, headers }: ServerUnderTest): Promise<void> {
  for (const size of sizeNames) {
    const id = crypto.randomUUID();
    const response = await fetch(url, {
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: requestText(dialect, size).replace(idPlace, id),
    });
    const text = await response.text();
    const isRight = response.status === 200 && isAnswer(JSON.parse(text) as AnyAnswer, id, dialect);
    if (!isRight) throw new Error(`${name} gives a wrong answer to ${size}: ${response.status} ${text.slice(0, 500)}`);
  }
}

interface A2aMessage {
  readonly role?: unknown;
  readonly parts?: readonly { readonly text?: unknown }[];
}

interface AnyAnswer {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly result?: {
    readonly status?: unknown;
    readonly response_text?: unknown;
    readonly message?: A2aMessage;
    readonly task?: { readonly status?: { readonly state?: unknown; readonly message?: A2aMessage } };
  };
}

function isAnswer({ jsonrpc, id, result }: AnyAnswer, sentId: string, dialect: Dialect): boolean {
  if (jsonrpc !== "2.0" || id !== sentId) return false;
  if (dialect !== "a2a")
    return isDeepStrictEqual({ status: result?.status, response_text: result?.response_text }, successResult());
  const { state = "TASK_STATE_COMPLETED", message = result?.message } = result?.task?.status ?? {};
  return state === "TASK_STATE_COMPLETED" && message?.role === "ROLE_AGENT" && message.parts?.[0]?.text === answerText;
}
