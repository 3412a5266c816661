import { expect, test } from "vitest";
import { createMix, type Kind } from "./kinds.ts";
import { judgeAnswers } from "./tally.ts";

test("a load run finds unanswered, repeated and wrong answers", () => {
  const right = { messages: 1, right: true, answeredAt: 1_250 };
  const outcomes = [
    right,
    { messages: 0, right: false, answeredAt: undefined },
    { messages: 2, right: true, answeredAt: 1_400 },
    { messages: 1, right: false, answeredAt: 1_900 },
  ];
  const figures = judgeAnswers(outcomes, [1_000, 1_000, 1_000, 1_000]);
  expect(figures).toMatchObject({ mentions: 4, right: 1, unanswered: 1, moreThanOnce: 1, wrong: 1 });
  expect(Math.round(figures.latency.max)).toBe(900);
});

test("a load run mixes its kinds evenly, by their shares, and sends each question once", () => {
  const kind = (name: string, perMille: number): Kind => ({
    name,
    perMille,
    zone: "execution",
    deserves: "",
    make: () => ({ method: "GET", path: "/", headers: {}, judge: () => true }),
  });
  const next = createMix([kind("often", 700), kind("now and then", 250), kind("seldom", 50)]);
  const sent = Array.from({ length: 1_000 }, next);
  const turns = Map.groupBy(sent, ({ kind: { name } }) => name);
  expect([...turns].map(([name, all]) => [name, all.length])).toEqual([
    ["often", 700],
    ["now and then", 250],
    ["seldom", 50],
  ]);
  expect(turns.get("seldom")?.map(({ turn }) => turn)).toEqual(Array.from({ length: 50 }, (_, turn) => turn));
  const tenth = sent.slice(100, 200).filter(({ kind: { name } }) => name === "seldom");
  expect(tenth.length).toBe(5);
});
