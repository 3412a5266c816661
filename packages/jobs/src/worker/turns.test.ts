import { expect, test } from "vitest";
import { createTurns } from "./turns.ts";

test("B3: before it was looked what waits, and while whoever waits lacks room in the process, nobody is next", () => {
  const turns = createTurns();
  expect(turns.isNext("A", 1, 1)).toBe(false);
  const look = turns.look();
  expect(turns.isNext("A", 1, 1)).toBe(false);
  look.found([]);
  expect(turns.isNext("A", 1, 1)).toBe(true);
  turns.look().foundNoRoom();
  expect(turns.isNext("A", 1, 1)).toBe(false);
});

test("B3: who has calls that wait is not next, and nobody else is kept from being it", () => {
  const turns = createTurns();
  turns.look().found(["A"]);
  expect([turns.isNext("A", 1, 1), turns.isNext("B", 1, 1)]).toEqual([false, true]);
  turns.look().found([]);
  expect(turns.isNext("A", 1, 1)).toBe(true);
});

test("B3: a call that is being stored waits, whatever a look finds that could not see it yet; one that is stored waits until the next look", () => {
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

test("a job begins on arrival if there is room for it and for all older ones, also while these are looked for", () => {
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
