import { EventEmitter } from "node:events";
import type { IncomingMessage } from "node:http";
import { expect, onTestFinished, test, vi } from "vitest";
import { ByteBudget } from "./byte-budget.ts";
import { readBody } from "./read-request.ts";

const newBudget = () => new ByteBudget({ all: 40, each: 20, waitMs: 2_000 });

/** Begins to read a body that declares a length, with a budget. */
function receive(budget: ByteBudget, owner: string, declared = 15) {
  const held = budget.open(owner);
  const headers = { "content-length": String(declared) };
  const request = Object.assign(new EventEmitter(), { headers, isPaused: false, pause: () => {}, resume: () => {} });
  request.pause = () => void (request.isPaused = true);
  request.resume = () => void (request.isPaused = false);
  const body = readBody(request as unknown as IncomingMessage, 100, held).then((read) => String(read));
  const send = (bytes: number): void => void request.emit("data", Buffer.alloc(bytes, "x"));
  return {
    request,
    body,
    send,
    close: held.close,
    whole: async (bytes: number) => {
      send(bytes);
      await vi.waitFor(() => expect(request.isPaused).toBe(false));
      request.emit("end");
      return (await body).length;
    },
  };
}

test("X22: a declared length takes no room, and bytes that have arrived do", async () => {
  const budget = newBudget();
  const slow = Array.from({ length: 50 }, () => receive(budget, "slow", 100));
  for (const one of slow) expect(one.request.isPaused).toBe(false);
  slow[0]?.send(18);
  expect(await receive(budget, "slow").whole(2)).toBe(2);
  expect(await receive(budget, "good").whole(15)).toBe(15);
});

test("X22: bodies that have not arrived whole keep nobody out: one goes on at a time, the smallest first", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const budget = newBudget();
  const slow = ["a", "a", "b", "b", "c"].map((owner) => receive(budget, owner));
  for (const one of slow) one.send(10);
  expect(slow.map(({ request }) => request.isPaused)).toEqual([false, false, false, false, false]);
  // The fifth has the turn, in which it sends no end.
  const [large, small] = [receive(budget, "d"), receive(budget, "e")];
  large.send(9);
  small.send(2);
  expect([large.request.isPaused, small.request.isPaused]).toEqual([true, true]);
  await vi.advanceTimersByTimeAsync(500);
  expect([large.request.isPaused, small.request.isPaused]).toEqual([true, false]);
  small.request.emit("end");
  expect(await small.body).toBe("xx");
  await vi.advanceTimersByTimeAsync(0);
  expect(large.request.isPaused).toBe(false);
  // A slow sender that had its turn is refused with its next byte.
  slow[4]?.send(1);
  expect(await slow[4]?.body).toBe("no_room");
});

test("X1: whole bodies are within the limits, whatever arrives beside them", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const budget = newBudget();
  const first = receive(budget, "a");
  first.send(20);
  first.request.emit("end");
  const second = receive(budget, "a");
  second.send(1);
  expect(second.request.isPaused).toBe(true);
  expect(await receive(budget, "b").whole(20)).toBe(20);
  await vi.advanceTimersByTimeAsync(1_000);
  first.close();
  await vi.advanceTimersByTimeAsync(0);
  expect(second.request.isPaused).toBe(false);
  second.send(19);
  const third = receive(budget, "a");
  second.request.emit("end");
  third.send(1);
  await vi.advanceTimersByTimeAsync(2_000);
  expect([await third.body, await second.body]).toEqual(["no_room", "x".repeat(20)]);
});

test("X22: a body whose client leaves while it waits gives its place back", async () => {
  const budget = newBudget();
  const [one, other] = [receive(budget, "a"), receive(budget, "a")];
  one.send(20);
  one.request.emit("end");
  other.send(5);
  other.request.emit("close");
  other.close();
  expect(await other.body).toBe("aborted");
  one.close();
  expect(await receive(budget, "a").whole(20)).toBe(20);
});
