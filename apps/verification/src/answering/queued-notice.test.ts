import { expect, test, vi } from "vitest";
import type { Judgment } from "../policy/pipeline.ts";
import { questionRecord } from "../testing/question-record.ts";
import { createQueuedNotice, type EnqueueNotice, type QueuedNoticeDeps } from "./notices.ts";

const record = questionRecord();

function start(
  overrides: { readonly isWaiting?: () => Promise<boolean>; readonly denial?: Judgment["denial"]; gone?: true } = {},
) {
  const enqueueNotice = vi.fn<EnqueueNotice>(async () => undefined);
  const slept: number[] = [];
  const stopping = new AbortController();
  const onRetry = async (): Promise<Judgment> => ({
    verdicts: [],
    durationMs: 0,
    ...(overrides.denial && { denial: overrides.denial }),
  });
  const context = { policies: { onRetry } } as unknown as Awaited<ReturnType<QueuedNoticeDeps["workspaces"]["find"]>>;
  const tell = createQueuedNotice({
    workspaces: { find: async () => (overrides.gone ? undefined : context) },
    inbox: { isWaiting: overrides.isWaiting ?? (async () => true) },
    clock: {
      sleep: async (ms, signal) => {
        slept.push(ms);
        signal?.throwIfAborted();
      },
    },
    enqueueNotice,
    stopping: stopping.signal,
  });
  return { tell, enqueueNotice, slept, stopping };
}

test("a question that still waits after a second is reported as queued, to its requester only", async () => {
  const { tell, enqueueNotice, slept } = start();
  await tell(record);
  expect(slept).toEqual([1_000]);
  expect(enqueueNotice).toHaveBeenCalledExactlyOnceWith(record, {
    to: "person",
    topic: "queued",
    text: "Your question is queued. In a thread, I answer one question at a time.",
  });
});

test.each<[string, Parameters<typeof start>[0]]>([
  ["that a worker has leased", { isWaiting: async () => false }],
  ["that the policy denies", { denial: { reason: "guest" } }],
  ["of a workspace that removed the app", { gone: true }],
  ["that the inbox cannot read", { isWaiting: async () => Promise.reject(new Error("gone")) }],
])("a question %s is not reported as queued", async (_which, overrides) => {
  const { tell, enqueueNotice } = start(overrides);
  await tell(record);
  expect(enqueueNotice).not.toHaveBeenCalled();
});

test("a process that is stopping sends no queued notice", async () => {
  const { tell, enqueueNotice, stopping } = start();
  stopping.abort();
  await tell(record);
  expect(enqueueNotice).not.toHaveBeenCalled();
});
