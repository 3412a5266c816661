import { anyText } from "@crosszone/contracts/any-text";
import type { TaskEvent } from "@crosszone/contracts";
import { array, assert, nat, property } from "fast-check";
import { expect, test, vi } from "vitest";
import { PreviewLog } from "./preview-log.ts";

/** Joins text as the contract requires. */
function join(text: string, events: readonly TaskEvent[]): string {
  for (const event of events) if (event.type === "text") text = text.slice(0, event.offset) + event.delta;
  return text;
}
const all = (log: PreviewLog): string => join("", log.since({ seq: 0, offset: 0 }).events);

test("T2: for any chunk boundaries, the watchers assemble the exact text", () => {
  assert(
    property(array(anyText.filter(Boolean), { maxLength: 20 }), array(nat(20), { maxLength: 6 }), (pieces, looks) => {
      vi.useFakeTimers();
      const log = new PreviewLog("t");
      let [text, seen] = ["", { seq: 0, offset: 0 }];
      for (const [index, piece] of pieces.entries()) {
        for (const half of piece.split("")) log.preview.text(half);
        vi.advanceTimersByTime(30);
        if (!looks.includes(index)) continue;
        const news = log.since(seen);
        text = join(text, news.events);
        // A watcher that reconnects knows only a number.
        seen = log.seenWith(news.seen.seq);
        expect(seen).toEqual(news.seen);
      }
      log.end();
      expect(join(text, log.since(seen).events).toWellFormed()).toBe(pieces.join("").toWellFormed());
      vi.useRealTimers();
    }),
  );
});

test("events have increasing numbers, and no event splits a character", () => {
  const log = new PreviewLog("t", 1_000);
  log.preview.text("a\ud83d");
  log.preview.progress({ steps: [], text: "thinking" });
  expect(log.since({ seq: 0, offset: 0 }).events).toEqual([
    { type: "text", task_id: "t", seq: 1_001, offset: 0, delta: "a" },
    { type: "progress", task_id: "t", seq: 1_002, progress: { revision: 1, steps: [], text: "thinking" } },
  ]);
  log.preview.text("\ude00");
  log.end();
  expect(log.since(log.seenWith(1_002)).events).toEqual([
    { type: "text", task_id: "t", seq: 1_003, offset: 1, delta: "😀" },
  ]);
});

test("T6, Q5: progress comes after all text that was there before it, however late it is read", () => {
  const log = new PreviewLog("t");
  const told = (): readonly string[] =>
    log
      .since({ seq: 0, offset: 0 })
      .events.map((event) => `${event.seq} ${event.type === "text" ? event.delta : event.type}`);
  log.preview.text("Let me a");
  log.preview.text("sk.");
  expect(told()).toEqual(["1 Let me a"]);
  log.preview.progress({ steps: [] });
  expect(told()).toEqual(["2 Let me ask.", "3 progress"]);
  log.preview.text(" Done.");
  log.end();
  expect(told()).toEqual(["2 Let me ask.", "3 progress", "4  Done."]);
  expect(log.since(log.seenWith(2)).events).toMatchObject([{ type: "progress" }, { offset: 11, delta: " Done." }]);
});

test("an event number of another run, or none, restarts the text", () => {
  const log = new PreviewLog("t", 1_000);
  log.preview.text("again");
  for (const seq of [0, 7, 1_000, 5_000]) expect(log.seenWith(seq)).toEqual({ seq: 1_000, offset: 0 });
});

test("T6: endless text takes bounded memory, and the shown text has no gap", () => {
  vi.useFakeTimers();
  const log = new PreviewLog("t");
  const piece = "0123456789".repeat(10);
  for (let index = 0; index < 4_000; index += 1) {
    log.preview.text(piece);
    vi.advanceTimersByTime(60);
  }
  log.preview.text("x");
  log.end();
  vi.useRealTimers();
  const text = all(log);
  expect(text.length).toBeGreaterThan(200_000);
  expect(text.length).toBeLessThanOrEqual(262_144);
  expect(piece.repeat(4_000).startsWith(text)).toBe(true);
  expect(log.seenWith(3)).toEqual({ seq: 3, offset: 0 });
});
