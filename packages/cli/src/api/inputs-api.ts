import {
  type InputAnswer,
  type InputRequest,
  type InputState,
  isAnswerInputResult,
  isAuditReceipt,
  isInputRequest,
  isInputRequestList,
} from "@crosszone/contracts";
import type { CallApi } from "./agents-api.ts";
import { type Page, queryOf } from "./send.ts";

export interface InputQuery extends Page {
  readonly state?: InputState;
  readonly task_id?: string;
  readonly run_id?: string;
}

/** The input request methods of the zone's API client. Every method rejects with `RefusedError` or `UnreachableError`. */
export type InputsApi = ReturnType<typeof createInputsApi>;

/** `once` sends a request one time: a repeated answer would be refused. `retried` retries it. */
export function createInputsApi(once: CallApi, retried: CallApi) {
  return {
    list: (query: InputQuery) => retried(isInputRequestList, { path: `input-requests${queryOf({ ...query })}` }),
    get: (id: string) => retried(isInputRequest, { path: pathOf(id) }),
    receipt: (id: string) => retried(isAuditReceipt, { path: `${pathOf(id)}/receipt` }),
    /** `digest`: of the action that the answer is about. */
    answer: (id: string, body: { readonly answer: InputAnswer; readonly digest?: string | undefined }) =>
      once(isAnswerInputResult, { method: "POST", path: `${pathOf(id)}/answer`, body }),
    withdraw: (id: string) => retried(isInputRequest, { method: "POST", path: `${pathOf(id)}/withdraw` }),
  };
}

/** Returns the open input requests of a task or a run. */
export async function openInputs(
  { list }: InputsApi,
  of: Pick<InputQuery, "task_id" | "run_id">,
): Promise<readonly InputRequest[]> {
  return (await list({ ...of, state: "open", limit: 20, offset: 0 })).input_requests;
}

const pathOf = (id: string): string => `input-requests/${encodeURIComponent(id)}`;
