import { expect, test } from "vitest";
import { assert, nat, property, record, string, uniqueArray } from "fast-check";
import { createTurns, shareRoom } from "./turns.ts";

test("B3: no share is next before the first look at the queue, or while the process lacks slots", () => {
  const turns = createTurns();
  expect(turns.isNext("A", 1, 1)).toBe(false);
  const look = turns.look();
  expect(turns.isNext("A", 1, 1)).toBe(false);
  look.found([]);
  expect(turns.isNext("A", 1, 1)).toBe(true);
  turns.look().foundNoRoom();
  expect(turns.isNext("A", 1, 1)).toBe(false);
});

test("B3: a share with waiting calls is not next, and does not block the other shares", () => {
  const turns = createTurns();
  turns.look().found(["A"]);
  expect([turns.isNext("A", 1, 1), turns.isNext("B", 1, 1)]).toEqual([false, true]);
  turns.look().found([]);
  expect(turns.isNext("A", 1, 1)).toBe(true);
});

test("B3: a call that is being stored counts as waiting until a look that began after it was stored", () => {
  const turns = createTurns();
  const early = turns.look();
  early.found([]);
  const [first, second] = [turns.queue("A"), turns.queue("A")];
  turns.look().found([]);
  expect(turns.isNext("A", 1, 1)).toBe(false);
  first();
  turns.look().found([]);
  expect(turns.isNext("A", 1, 1)).toBe(false);
  const during = turns.look();
  second();
  during.found([]);
  expect(turns.isNext("A", 1, 1)).toBe(false);
  const after = turns.look();
  expect(turns.isNext("A", 1, 1)).toBe(false);
  after.found([]);
  expect(turns.isNext("A", 1, 1)).toBe(true);
});

test("a job starts on arrival if slots are free for it and all older ones, even while these are being read", () => {
  const turns = createTurns();
  turns.look().found([]);
  turns.queue("A")();
  expect([turns.isNext("A", 1, 9), turns.isNext("A", 2, 1), turns.isNext("A", 2, 2)]).toEqual([false, false, true]);
  const look = turns.look();
  turns.queue("A");
  expect([turns.isNext("A", 2, 9), turns.isNext("A", 3, 9)]).toEqual([false, true]);
  look.found([]);
  expect([turns.isNext("A", 1, 9), turns.isNext("A", 2, 9)]).toEqual([false, true]);
  look.found(["A"]);
  expect(turns.isNext("A", 99, 99)).toBe(false);
});

test("N5: all usable slots are distributed; no share exceeds its limit or lags behind another by two", () => {
  const seats = uniqueArray(record({ share: string(), free: nat(20) }), { selector: ({ share }) => share });
  assert(
    property(nat(100), seats, (room, all) => {
      const shares = new Map(shareRoom(room, all).map(({ share, most }) => [share, most]));
      const got = all.map(({ share, free }) => ({ free, most: shares.get(share) ?? 0 }));
      const sum = got.reduce((total, { most }) => total + most, 0);
      expect(sum).toBe(
        Math.min(
          room,
          all.reduce((total, { free }) => total + free, 0),
        ),
      );
      for (const { most, free } of got) expect(most).toBeLessThanOrEqual(free);
      const hungry = got.filter(({ most, free }) => most < free).map(({ most }) => most);
      const top = Math.max(0, ...got.map(({ most }) => most));
      for (const most of hungry) expect(top - most).toBeLessThanOrEqual(1);
    }),
  );
});
