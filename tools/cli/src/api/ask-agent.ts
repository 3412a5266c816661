import { randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import {
  isExecuteTaskResult,
  isGetAsyncTaskResultResult,
  isJsonRpcResponse,
  isZoneErrorData,
  type TaskSucceeded,
  type Validator,
  type ZoneErrorData,
} from "@crosszone/contracts";
import { isAskedSoon, mostLooks, waitLine } from "../text/input-text.ts";
import { UnreachableError, type ZoneAddress } from "./send.ts";

/** `waitMs`: how long the zone can hold a poll open. The other: timeout of a request. Milliseconds. */
const waitMs = 20_000;
const timeoutMs = 60_000;
/** How often a task that waits for people is read, milliseconds. */
const pausedMs = 1_000;

export interface AskedQuestion {
  readonly agent: string;
  readonly text: string;
  /** The same id continues the conversation of an earlier question. */
  readonly contextId?: string;
  /** Receives the agent's progress messages. */
  readonly onProgress: (text: string) => void;
  readonly signal: AbortSignal;
}

/** The zone or the agent failed to answer the question. The message is the zone's; `data` has its details. */
export class QuestionError extends Error {
  override readonly name = "QuestionError";
  readonly data: Partial<ZoneErrorData>;

  constructor(message: string, data: Partial<ZoneErrorData>) {
    super(message);
    this.data = data;
  }
}

/**
 * Asks an agent through the zone, as verification does for a Slack message, and returns its answer. An abort cancels the task. Rejects with
 * a `QuestionError`, or with an `UnreachableError` when the zone does not respond.
 */
export async function askAgent(zone: ZoneAddress, question: AskedQuestion): Promise<TaskSucceeded> {
  const { agent, text, contextId: context_id, onProgress, signal } = question;
  // The contract requires a channel and a handle for files. A terminal has neither.
  const params = { channel: "cli", bot_token: "none", agent, text, context_id };
  const begun = await call(zone, { method: "execute_task", params, is: isExecuteTaskResult });
  if (begun.status === "success") return begun;
  const { task_id } = begun;
  const cancel = (): void => void call(zone, { method: "cancel_task", params: { task_id } }).catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  let said = "";
  for (let seen_progress = 0, looks = 1; ; looks += 1) {
    const poll = { task_id, wait_ms: waitMs, seen_progress };
    const now = await call(zone, { method: "get_async_task_result", params: poll, is: isGetAsyncTaskResultResult });
    if (now.status === "success") return now;
    if (now.status === "input_required") {
      const waits = now.input_requests.map((request) => waitLine(request, request.expires_at)).join("\n");
      if (waits !== said && (looks > mostLooks || !now.input_requests.some(isAskedSoon))) onProgress((said = waits));
      await delay(pausedMs, undefined, { signal }).catch(() => undefined);
      continue;
    }
    seen_progress = now.progress?.revision ?? seen_progress;
    const says = now.progress?.text ?? "";
    if (says !== "" && says !== said) onProgress(says);
    said = says;
  }
}

/** Calls a method. `is` validates the result; without it the result is ignored. */
async function call<T>(
  zone: ZoneAddress,
  request: { readonly method: string; readonly params: object; readonly is?: Validator<T> },
): Promise<T> {
  const { method, params, is } = request;
  const { url, linkToken, hint } = zone;
  const response = await fetch(`${url}/rpc`, {
    method: "POST",
    headers: { "content-type": "application/json", ...(linkToken && { authorization: `Bearer ${linkToken}` }) },
    body: JSON.stringify({ jsonrpc: "2.0", id: randomUUID(), method, params }),
    signal: AbortSignal.timeout(timeoutMs),
    // A redirect must not carry the token to another address.
    redirect: "manual",
  }).catch((error: unknown) => {
    throw new UnreachableError(`Cannot reach ${url}. ${hint}`, { cause: error });
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (!isJsonRpcResponse(answer))
    throw new UnreachableError(
      `${url}/rpc responded with HTTP ${response.status}; it does not look like an execution zone. ${hint}`,
    );
  if ("error" in answer) {
    const { message, data } = answer.error;
    throw new QuestionError(message, isZoneErrorData(data) ? data : {});
  }
  if (is === undefined || is(answer.result)) return answer.result as T;
  throw new UnreachableError(`${url}/rpc sent a result that this version of crosszone can't read.`);
}
