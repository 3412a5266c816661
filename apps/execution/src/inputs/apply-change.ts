import { type InputRequest, ZoneError } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { Moment } from "./elapse.ts";
import { type Actor, rejectedAct, withActs } from "./input-acts.ts";
import type { InputNews } from "./input-news.ts";
import type { InputRecord } from "./input-record.ts";
import type { InputClaim, InputStore } from "./input-store.ts";

/** What becomes of a request: a result for the caller, and the request to store when it changes. */
interface Step<Result> {
  readonly result: Result;
  readonly next?: InputRequest | undefined;
  readonly claim?: InputClaim | undefined;
  /** Why the act is rejected. */
  readonly rejected?: string | false;
}

/**
 * Reads, judges and stores, again after each conflict. Resolves with undefined for an unknown request. The actor's action is needed where it
 * can be rejected.
 */
export type ApplyChange = <Result>(
  requestId: string,
  attempt: { readonly by: Actor; readonly action?: "input.decide" | "input.use" },
  judge: (record: InputRecord, moment: Moment) => Step<Result>,
) => Promise<{ readonly result: Result; readonly request: InputRequest; readonly stored: boolean } | undefined>;

/** Returns a function that changes requests. What it does or rejects is in the audit log. */
export function createApplyChange(store: InputStore, news: InputNews, emit: Emit<ExecutionEvent>): ApplyChange {
  return async (requestId, { by, action = "input.decide" }, judge) => {
    for (;;) {
      const found = await store.find(requestId);
      if (found === undefined) return undefined;
      const { record, moment } = found;
      const rejection = (because: string) => rejectedAct(record, { by, at: moment.now, action, because });
      const { result, next, claim, rejected } = await Promise.try(judge, record, moment).catch(
        async (error: unknown) => {
          // An answer of the wrong form is rejected, too.
          if (error instanceof ZoneError) await store.append(rejection(error.kind));
          throw error;
        },
      );
      const refused = rejected ? [rejection(rejected)] : [];
      if (next === undefined) {
        await store.append(...refused);
        return { result, request: record.request, stored: false };
      }
      const { request: changed, acts } = withActs(record, next, { by, at: moment.now });
      const request = await store.change(found, changed, { acts: [...acts, ...refused], claim });
      if (request === undefined) continue;
      news.tell();
      reportChange(emit, record.request, request);
      return { result, request, stored: true };
    }
  };
}

/** Returns a request's ids for events. */
export const inputIds = ({ request_id, task_id, run_id, correlation_id, agent }: InputRequest) => ({
  request_id,
  task_id,
  run_id,
  correlation_id,
  agent,
});

/** Reports a stored change, except votes, which are reported with their people. */
function reportChange(emit: Emit<ExecutionEvent>, before: InputRequest, request: InputRequest): void {
  const fields = { ...inputIds(request), because: request.closed_because };
  const { state, reminders = 0 } = request;
  if (reminders > (before.reminders ?? 0)) emit("input_reminded", { ...inputIds(request), reminders });
  if (before.state === state) return;
  if (state === "expired" || state === "void") emit("input_expired", fields);
  if (state === "withdrawn") emit("input_withdrawn", fields);
  if (state === "used") emit("input_used", inputIds(request));
}
