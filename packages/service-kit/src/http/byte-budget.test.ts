import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { ByteBudget } from "./byte-budget.ts";
import { readBody } from "./read-request.ts";

/** Returns a function that begins to read a body of an owner, within 20 bytes of each and 40 of all. */
function newBodies() {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const budget = new ByteBudget({ all: 40, each: 20, waitMs: 2_000 });
  return (owner: string, bytes: number) => {
    const held = budget.open(owner);
    const [pause, resume] = [vi.fn<() => void>(), vi.fn<() => void>()];
    const request = Object.assign(new EventEmitter(), { headers: { "content-length": "90" }, pause, resume });
    const body = readBody(request as unknown as IncomingMessage, 100, held).then((read) => String(read));
    const send = (more: number): void => void request.emit("data", Buffer.alloc(more, "x"));
    send(bytes);
    const isPaused = (): boolean => pause.mock.calls.length > resume.mock.calls.length;
    return { body, send, isPaused, end: () => request.emit("end"), close: held.close };
  };
}

test("X22: bodies that have not arrived whole keep nobody out: one goes on at a time, the smallest first", async () => {
  const receive = newBodies();
  const slow = ["a", "a", "b", "b", "c"].map((owner) => receive(owner, 10));
  // The fifth has the turn, in which it sends no end.
  const [large, small] = [receive("d", 9), receive("e", 2)];
  expect([...slow, large, small].map(({ isPaused }) => isPaused())).toEqual([...Array(5).fill(false), true, true]);
  await vi.advanceTimersByTimeAsync(500);
  expect([large.isPaused(), small.isPaused()]).toEqual([true, false]);
  small.end();
  expect(await small.body).toBe("xx");
  await vi.advanceTimersByTimeAsync(0);
  expect(large.isPaused()).toBe(false);
  // A slow sender that had its turn is refused with its next byte.
  slow[4]?.send(1);
  expect(await slow[4]?.body).toBe("no_room");
});

test("X1: whole bodies are within the limits, whatever arrives beside them", async () => {
  const receive = newBodies();
  const first = receive("a", 20);
  first.end();
  const second = receive("a", 1);
  expect([second.isPaused(), receive("b", 20).isPaused()]).toEqual([true, false]);
  first.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(second.isPaused()).toBe(false);
  second.send(19);
  second.end();
  const third = receive("a", 1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([await third.body, await second.body]).toEqual(["no_room", "x".repeat(20)]);
});
