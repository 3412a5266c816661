import type { ZoneMethods } from "@crosszone/contracts";
import type { Client } from "@crosszone/jsonrpc";
import { backoffMs } from "@crosszone/service-kit/timing";
import type { Inbox } from "../../inbox/inbox.ts";
import { inputRecordId, pausedTaskId } from "../../inbox/records.ts";
import type { ZoneParts } from "../../workspaces/zone-parts.ts";
import { listSession } from "../tasks/zone-calls.ts";

interface InputFeedDeps extends Pick<ZoneParts, "clock" | "limits" | "emit"> {
  readonly zone: Client<ZoneMethods>;
  readonly inbox: Pick<Inbox, "wake">;
  /** Ends it. */
  readonly stopping: AbortSignal;
}

/** Requests in one answer. Each has all its arguments. */
const pageSize = 50;
/** Pause after an answer without news, milliseconds. */
const quietMs = 500;
const failureBackoff = { firstMs: 1_000, longestMs: 30_000 };

/**
 * Returns a function that starts to follow the input requests in execution, once: records that wait are woken when a request of theirs has
 * changed. Until it is called, a zone where nothing waits asks for nothing.
 */
export function createInputFeed(deps: InputFeedDeps): () => void {
  let following: Promise<void> | undefined;
  return () => void (following ??= follow(deps).catch(() => undefined));
}

async function follow({ zone, inbox, clock, limits, emit, stopping: signal }: InputFeedDeps): Promise<void> {
  const { POLL_WAIT_MS: wait_ms, EXECUTION_TIMEOUT_MS: callMs } = limits;
  const call = { signal, session: listSession, timeoutMs: wait_ms + callMs };
  let after_seq = 0;
  let failures = 0;
  while (!signal.aborted) {
    try {
      const { input_requests, last_seq } = await zone.call(
        "list_input_requests",
        { after_seq, wait_ms, limit: pageSize },
        call,
      );
      await inbox.wake([
        ...input_requests.map(({ request_id }) => inputRecordId(request_id)),
        ...new Set(input_requests.flatMap(({ task_id }) => (task_id === undefined ? [] : [pausedTaskId(task_id)]))),
      ]);
      after_seq = last_seq;
      failures = 0;
      if (input_requests.length === 0) await clock.sleep(quietMs, signal);
    } catch (failure) {
      signal.throwIfAborted();
      failures += 1;
      if (failures === 1) emit("input_feed_failed", { operation: "list_input_requests", failure });
      await clock.sleep(backoffMs(failureBackoff, failures), signal);
    }
  }
}
