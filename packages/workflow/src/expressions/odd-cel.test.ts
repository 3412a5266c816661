import { expect, test } from "vitest";
import { readCondition } from "./condition.ts";

const problemsOf = (expression: string): readonly string[] =>
  readCondition(expression, new Set(["item", "no"])).problems ?? [];

const compare = "==, !=, >, >=, < or <=";
const reference = "${a.output}, or ${a.output ?? 1}";
const call = 'text.contains("x")';
const general = "close brackets and texts, and write && or || between comparisons";

test.each([
  ["item.x == 1 and true", "at character 13, write && instead of and", "item.x == 1 && true"],
  ["true\nAND item.x == 1", "at character 6, write && instead of AND", "true\n&& item.x == 1"],
  ["'and' == 'or' or item", "at character 15, write || instead of or", "'and' == 'or' || item"],
  ["${a.output.and} and item", "at character 17, write && instead of and", "${a.output.and} && item"],
  ["'${a.output}' = 'and'", "at character 15, write == instead of =", "'${a.output}' == 'and'"],
  ["not item", "at character 1, write !, as in !(value in list), instead of not", "!item"],
  ["item.and or item.not", "at character 10, write || instead of or", "item.and || item.not"],
  ["item is not null", `at character 6, write ${compare} instead of is not`, "item != null"],
  ["item not in [1]", "at character 6, write !, as in !(value in list), instead of not in", "!(item in [1])"],
  ["item = 1", "at character 6, write == instead of =", "item == 1"],
  ["item <> 1", `at character 6, write ${compare} instead of <>`, "item != 1"],
  ["item ≥ 1", `at character 6, write ${compare} instead of ≥`, "item >= 1"],
  ["item & true", "at character 6, write && instead of &", "item && true"],
  ["item contains 'x'", `at character 6, write ${call} instead of contains`, "item.contains('x')"],
  ["if item then true", "at character 1, write condition ? value : other instead of if", "item ? true : false"],
  ["item ?? 1 == 1", `at character 6, write ${reference} instead of ??`, "${item ?? 1} == 1"],
  ["item?.a == 1", `at character 5, write ${reference} instead of ?.`, "${item.a ?? 1} == 1"],
  ["{{ item }} == 1", `at character 1, write ${reference} instead of {{`, "${item} == 1"],
  ["item == 1 # note", "at character 11, write nothing, or // before a comment instead of #", "item == 1 // note"],
  ["item == 1;", "at character 10, write nothing, or // before a comment instead of ;", "item == 1"],
  ["item == “x”", 'at character 9, write " around texts instead of “', 'item == "x"'],
  ["item\u00A0== 1", "at character 5, write a space instead of another blank", "item == 1"],
  ["item == 'x and", `Unterminated string: ${general}`, "item == 'x' && item"],
  ["(item", `Expected RPAREN, got EOF: ${general}`, "(item)"],
  [" ", `Unexpected token: EOF: ${general}`, "item == 1"],
  ["item == 'it's'", `Unexpected character: 's': ${general}`, 'item == "it\'s"'],
  ["item == True", "at character 9, write true, false or null instead of True", "item == true"],
  ["len(item) > 1", "at character 1, write size() instead of len", "size(item) > 1"],
  [
    "item.toLowerCase() == 'x'",
    "at character 6, write contains(), startsWith() or lowerAscii() instead of toLowerCase",
    "item.lowerAscii() == 'x'",
  ],
  [
    "no.any(x, x > 1)",
    "at character 4, write exists(item, item > 1) or all(item, item > 1) instead of any",
    "no.exists(x, x > 1)",
  ],
])("J12: one sentence with the fix: %s", (wrong, advice, right) => {
  expect(problemsOf(wrong)).toHaveLength(1);
  expect(problemsOf(wrong)[0]?.replace(/^is not a valid (CEL expression|condition): /, "")).toBe(advice);
  expect(problemsOf(right)).toEqual([]);
});
