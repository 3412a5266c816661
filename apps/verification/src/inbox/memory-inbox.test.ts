import { describe, expect, test } from "vitest";
import { askRecord as ask } from "../testing/ask-record.ts";
import { InboxFullError, type Held, type StopRecord } from "./inbox.ts";
import { createMemoryInbox } from "./memory-inbox.ts";

const stop = (more: Partial<StopRecord> = {}): StopRecord => {
  const { ts: _ts, text: _text, files: _files, files_unknown: _unknown, ...head } = ask();
  return { ...head, kind: "stop", whole_channel: false, written: true, ...more };
};

const create = (most = 10, now = () => 0): ReturnType<typeof createMemoryInbox> =>
  createMemoryInbox({ most, claims: { ttlMs: 1_000, most: 4, now } });

const held = (request_id: string): Held => ({ record: { request_id }, attempt: 1 });

describe("claims", () => {
  test("S3, S4: a record is a duplicate when any of its claims is held, also after the first is done", async () => {
    const inbox = create();
    expect(await inbox.accept(ask({ claims: ["event 1", "message 1"], request_id: "a" }))).toBe("accepted");
    expect(await inbox.accept(ask({ claims: ["event 1", "message 2"] }))).toBe("duplicate");
    expect(await inbox.accept(ask({ claims: ["event 2", "message 1"] }))).toBe("duplicate");
    expect(await inbox.accept(ask({ claims: ["event 2", "message 2"] }))).toBe("accepted");
    await inbox.take("ask");
    await inbox.complete(held("a"));
    expect(await inbox.accept(ask({ claims: ["event 1"] }))).toBe("duplicate");
  });

  test("claims end after their time, and the oldest when there are too many", async () => {
    let now = 0;
    const inbox = create(100, () => now);
    await inbox.accept(ask({ claims: ["old"] }));
    now = 1_000;
    expect(await inbox.accept(ask({ claims: ["old"] }))).toBe("accepted");
    for (const claim of ["a", "b", "c", "d"]) await inbox.accept(ask({ claims: [claim] }));
    expect(await inbox.accept(ask({ claims: ["d"] }))).toBe("duplicate");
    expect(await inbox.accept(ask({ claims: ["old"] }))).toBe("accepted");
  });

  test("S5: a full inbox refuses, and claims nothing", async () => {
    const inbox = create(1);
    await inbox.accept(ask({ request_id: "first" }));
    await expect(inbox.accept(ask({ claims: ["x"] }))).rejects.toThrow(InboxFullError);
    await inbox.take("ask");
    await inbox.complete(held("first"));
    expect(await inbox.accept(ask({ claims: ["x"] }))).toBe("accepted");
  });
});

describe("order", () => {
  test("records of one thread are taken one after the other, those of other threads meanwhile", async () => {
    const inbox = create();
    await inbox.accept(ask({ request_id: "a1" }));
    await inbox.accept(ask({ request_id: "a2" }));
    await inbox.accept(ask({ request_id: "b1", thread_ts: "2.0" }));
    expect((await inbox.take("ask"))?.record.request_id).toBe("a1");
    expect((await inbox.take("ask"))?.record.request_id).toBe("b1");
    expect(await inbox.take("ask")).toBeUndefined();
    await inbox.complete(held("a1"));
    expect((await inbox.take("ask"))?.record.request_id).toBe("a2");
  });

  test("a stop does not wait behind the question that it stops", async () => {
    const inbox = create();
    await inbox.accept(ask());
    await inbox.take("ask");
    await inbox.accept(stop({ request_id: "s" }));
    expect((await inbox.load()).waiting).toBe(1);
    expect((await inbox.take("stop"))?.record.request_id).toBe("s");
  });
});

describe("stop", () => {
  test("marks the open questions of one thread, or of the whole channel, once", async () => {
    const inbox = create();
    await inbox.accept(ask({ request_id: "a" }));
    await inbox.accept(ask({ request_id: "b", thread_ts: "2.0" }));
    await inbox.accept(ask({ request_id: "other", channel: "C2" }));
    await inbox.accept(stop());
    expect(await inbox.stop({ team_id: "T1", channel: "C1", thread_ts: "1.0" })).toBe(1);
    expect([await inbox.isStopped("a"), await inbox.isStopped("b")]).toEqual([true, false]);
    expect(await inbox.stop({ team_id: "T1", channel: "C1" })).toBe(1);
    expect([await inbox.isStopped("b"), await inbox.isStopped("other")]).toEqual([true, false]);
    expect(await inbox.stop({ team_id: "T1", channel: "C1" })).toBe(0);
  });
});
