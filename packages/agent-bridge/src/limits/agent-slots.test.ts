import { expect, test } from "vitest";
import { createAgentSlots } from "./agent-slots.ts";

const slow = { name: "slow", max_concurrency: 2 };
const quick = { name: "quick", max_concurrency: 10 };

test("B3: an agent that uses all of its slots takes none from another agent", () => {
  const slots = createAgentSlots({ most: 100 });
  const held = [slots.take(slow), slots.take(slow)];
  expect(slots.take(slow)).toBeUndefined();
  expect(slots.free(slow)).toBe(0);
  expect(slots.take(quick)).toBeDefined();
  held[0]?.();
  expect(slots.free(slow)).toBe(1);
  expect(slots.take(slow)).toBeDefined();
});

test("N5: all agents together stay within the limit of the process", () => {
  const slots = createAgentSlots({ most: 3 });
  slots.take(slow);
  slots.take(quick);
  expect(slots.free(quick)).toBe(1);
  slots.take(quick);
  expect(slots.free(quick)).toBe(0);
  expect(slots.take(slow)).toBeUndefined();
  expect(slots.taken()).toBe(3);
});

test("a slot can be released only once", () => {
  const slots = createAgentSlots({ most: 3 });
  const first = slots.take(slow);
  slots.take(slow);
  first?.();
  first?.();
  expect(slots.taken()).toBe(1);
  expect([...slots.readings()]).toEqual([["slow", 1]]);
});

test("an agent without tasks is forgotten, and a limit that was lowered meanwhile frees no slot", () => {
  const slots = createAgentSlots({ most: 10 });
  const give = slots.take(slow);
  slots.take(slow);
  expect(slots.free({ ...slow, max_concurrency: 1 })).toBe(0);
  give?.();
  expect(slots.readings().get("slow")).toBe(1);
  slots.take(quick)?.();
  expect(slots.readings().has("quick")).toBe(false);
});
