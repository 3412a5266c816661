import { expect, test, vi } from "vitest";
import type { Judgement } from "../policy/pipeline.ts";
import type { Owe } from "./notices.ts";
import { askRecord } from "../testing/ask-record.ts";
import { createTellQueued, type TellQueuedDeps } from "./queued-notice.ts";

const record = askRecord();

function start(
  overrides: { readonly isWaiting?: () => Promise<boolean>; readonly denial?: Judgement["denial"]; gone?: true } = {},
) {
  const owe = vi.fn<Owe>(async () => undefined);
  const slept: number[] = [];
  const stopping = new AbortController();
  const again = async (): Promise<Judgement> => ({
    verdicts: [],
    durationMs: 0,
    ...(overrides.denial && { denial: overrides.denial }),
  });
  const desk = { policies: { again } } as unknown as Awaited<ReturnType<TellQueuedDeps["desks"]["of"]>>;
  const tell = createTellQueued({
    desks: { of: async () => (overrides.gone ? undefined : desk) },
    inbox: { isWaiting: overrides.isWaiting ?? (async () => true) },
    clock: {
      sleep: async (ms, signal) => {
        slept.push(ms);
        signal?.throwIfAborted();
      },
    },
    owe,
    stopping: stopping.signal,
  });
  return { tell, owe, slept, stopping };
}

test("a question that still waits after a second is reported as queued, to its requester only", async () => {
  const { tell, owe, slept } = start();
  await tell(record);
  expect(slept).toEqual([1_000]);
  expect(owe).toHaveBeenCalledExactlyOnceWith(record, {
    to: "person",
    topic: "queued",
    text: "Your question is queued. In a thread, I answer one question at a time.",
  });
});

test.each<[string, Parameters<typeof start>[0]]>([
  ["that a worker has taken", { isWaiting: async () => false }],
  ["that the policy denies", { denial: { reason: "guest" } }],
  ["of a workspace that removed the app", { gone: true }],
  ["that the inbox cannot look up", { isWaiting: async () => Promise.reject(new Error("gone")) }],
])("a question %s is not reported as queued", async (_which, overrides) => {
  const { tell, owe } = start(overrides);
  await tell(record);
  expect(owe).not.toHaveBeenCalled();
});

test("a process that is stopping sends no queued notice", async () => {
  const { tell, owe, stopping } = start();
  stopping.abort();
  await tell(record);
  expect(owe).not.toHaveBeenCalled();
});
