import { expect, test } from "vitest";
import { drawMutants, findPlaces, mutate, roomOf } from "./mutants.ts";

const file = "packages/sql/src/sample.ts";
const text = `
const mostRows = 5;
export async function read(rows: number, isOpen: boolean): Promise<number | undefined> {
  if (rows >= mostRows) return 1;
  await close(rows);
  const found = isOpen && rows === 2 ? 3 : 4;
  while (isOpen) close(rows);
  return found;
}
function close(rows: number): void {
  return close(rows);
}
`;

test("each kind changes the lines that it names, and nothing else", () => {
  const places = findPlaces(file, text);
  expect(places.map(({ line, kind, to }) => [line, kind, to])).toEqual([
    [2, "bound", "const mostRows = 5 + 1;"],
    [4, "negate", "if (!(rows >= mostRows)) return 1;"],
    [4, "bound", "if (rows > mostRows) return 1;"],
    [4, "return", "if (rows >= mostRows) return undefined as never;"],
    [5, "drop", ";"],
    [6, "negate", "const found = !(isOpen && rows === 2) ? 3 : 4;"],
    [6, "negate", "const found = isOpen || rows === 2 ? 3 : 4;"],
    [6, "bound", "const found = isOpen && rows === 2 + 1 ? 3 : 4;"],
    [7, "negate", "while (!(isOpen)) close(rows);"],
    [7, "drop", "while (isOpen) ;"],
    [8, "return", "return undefined as never;"],
  ]);
  for (const place of places) expect(mutate(text, place)).toBe(text.replace(place.from, place.to));
});

test("a mutant is found again by its text and occurrence, when lines before it moved", () => {
  const twice = `${text}${text.replace("mostRows = 5", "mostRows = 6").replaceAll("read(", "readAgain(")}`;
  const [, second] = findPlaces(file, twice).filter(({ to }) => to === "while (isOpen) ;");
  expect(second).toMatchObject({ line: 19, nth: 1 });
  expect(mutate(`// one line more\n${twice}`, second!)?.split("while (isOpen) ;")).toHaveLength(2);
  expect(mutate(text, second!)).toBeUndefined();
});

test("the same seed draws the same mutants: the least from each room, the rest from all, no two of a line", () => {
  const many = text.repeat(10);
  const places = ["apps/execution/src/tasks/a.ts", "packages/sql/src/b.ts"].flatMap((of) => findPlaces(of, many));
  const draw = (seed: number) => drawMutants(places, { seed, count: 30, least: 5 }, ({ line }) => line % 12 !== 8);
  const { drawn, unexecuted } = draw(1);
  expect(draw(1)).toEqual({ drawn, unexecuted });
  expect(draw(2).drawn).not.toEqual(drawn);
  expect(new Set(drawn.map((of) => `${of.file}:${of.line}`)).size).toBe(30);
  expect(drawn.slice(0, 10).map((of) => roomOf(of.file))).toEqual([
    ...Array.from({ length: 5 }, () => "apps/execution/src/tasks"),
    ...Array.from({ length: 5 }, () => "packages/sql"),
  ]);
  expect(unexecuted.every(({ line }) => line % 12 === 8)).toBe(true);
});
