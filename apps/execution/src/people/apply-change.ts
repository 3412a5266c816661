import { type InputRequest, ZoneError } from "@crosszone/contracts";
import type { Emit } from "@crosszone/service-kit";
import { atMost, unlessAborted } from "@crosszone/service-kit/timing";
import type { ExecutionEvent } from "@crosszone/telemetry";
import { type Actor, rejectedInputAct, withActs } from "./input-acts.ts";
import type { InputRecord, Moment } from "./input-record.ts";
import type { InputClaim, InputStore } from "./input-store.ts";

/** How often another process's changes are looked for while a caller waits for them, milliseconds. */
const pollMs = 1_000;

/** Lets callers wait for changes: those of this process end the wait at once, those of others at the next look. */
export class InputNews {
  readonly #waiting = new Set<() => void>();

  /** Tells all waiting callers of a change. */
  tell(): void {
    for (const wake of this.#waiting) wake();
  }

  /** Returns what `read` finds. While that is nothing, reads again for `waitMs` milliseconds, or until the signal aborts. */
  async find<Found>(
    read: () => Promise<readonly Found[]>,
    { waitMs, signal }: { readonly waitMs: number; readonly signal?: AbortSignal | undefined },
  ): Promise<readonly Found[]> {
    const until = performance.now() + waitMs;
    for (;;) {
      const { promise: changed, resolve } = Promise.withResolvers<void>();
      this.#waiting.add(resolve);
      try {
        const found = await read();
        const leftMs = until - performance.now();
        if (found.length > 0 || leftMs <= 0 || signal?.aborted === true) return found;
        const wait = signal === undefined ? changed : unlessAborted(changed, signal).catch(() => undefined);
        await atMost(Math.min(leftMs, pollMs), wait);
      } finally {
        this.#waiting.delete(resolve);
      }
    }
  }
}

/** Changes requests. What it does or rejects is in the audit log. */
export class InputChanges {
  readonly #store: InputStore;
  readonly #news: InputNews;
  readonly #emit: Emit<ExecutionEvent>;

  constructor(store: InputStore, news: InputNews, emit: Emit<ExecutionEvent>) {
    this.#store = store;
    this.#news = news;
    this.#emit = emit;
  }

  /**
   * Reads, judges and stores, again after each conflict. Resolves with undefined for an unknown request. The actor's action is needed where it can
   * be rejected. `judge` returns a result for the caller, the request to store when it changes, and why the act is rejected.
   */
  async apply<Result>(
    requestId: string,
    { by, action = "input.decide" }: { readonly by: Actor; readonly action?: "input.decide" | "input.use" },
    judge: (
      record: InputRecord,
      moment: Moment,
    ) => {
      readonly result: Result;
      readonly next?: InputRequest | undefined;
      readonly claim?: InputClaim | undefined;
      readonly rejected?: string | false;
    },
  ): Promise<{ readonly result: Result; readonly request: InputRequest; readonly stored: boolean } | undefined> {
    const store = this.#store;
    for (;;) {
      const found = await store.find(requestId);
      if (found === undefined) return undefined;
      const { record, moment } = found;
      const rejection = (because: string) => rejectedInputAct(record, { by, at: moment.now, action, because });
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
      this.#news.tell();
      reportChange(this.#emit, record.request, request);
      return { result, request, stored: true };
    }
  }
}

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
