import { expect, test, vi } from "vitest";
import { createEventReader } from "../tasks/event-reader.ts";
import { createTaskRecord } from "../tasks/task-record.ts";
import { eventStream } from "./answer-http.ts";

const bodyOf = (record: ReturnType<typeof createTaskRecord>) => {
  const { body } = eventStream(createEventReader(record), (event) => event);
  return (body as ReadableStream<Uint8Array>).getReader();
};

test("a task drops a stream whose client disconnects", async () => {
  const record = createTaskRecord({ contextId: "c", owner: "" });
  const reader = bodyOf(record);
  await reader.read();
  const next = reader.read();
  await vi.waitFor(() => expect(record.waiters.size).toBe(1));
  await reader.cancel();
  expect(await next).toMatchObject({ done: true });
  await vi.waitFor(() => expect(record.waiters.size).toBe(0));
});

test("a silent stream is kept open with comments", async () => {
  vi.useFakeTimers();
  try {
    const reader = bodyOf(createTaskRecord({ contextId: "c", owner: "" }));
    await reader.read();
    for (let i = 0; i < 2; i++) {
      const comment = reader.read();
      await vi.advanceTimersByTimeAsync(15_000);
      expect(new TextDecoder().decode((await comment).value)).toBe(": keep-alive\n\n");
    }
    await reader.cancel();
  } finally {
    vi.useRealTimers();
  }
});
