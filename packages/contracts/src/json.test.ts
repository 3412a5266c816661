import { anyText } from "./testing/any-text.ts";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { changeOfNumber, JsonTextError, parseExactJson } from "./json.ts";

/** Returns the error of a text; undefined for one that is read. */
function errorOf(text: string | Uint8Array, maxDepth = 64): JsonTextError | undefined {
  try {
    parseExactJson(text, { maxDepth });
    return undefined;
  } catch (error) {
    if (error instanceof JsonTextError) return error;
    throw error;
  }
}

/** A number as an integer and a power of ten. */
interface Decimal {
  readonly digits: bigint;
  readonly power: number;
}

function decimalOf(text: string): Decimal {
  const [, sign, whole, fraction = "", power = "0"] = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d+))?$/i.exec(text) ?? [];
  const all = `${sign}${whole}${fraction}`;
  const short = all.replace(/(?<=[1-9])0+$/, "");
  return { digits: BigInt(short), power: Number(power) - fraction.length + all.length - short.length };
}

/** Returns the exact value of a double. */
function exactly(value: number): Decimal {
  let [whole, power] = [value, 0];
  for (; !Number.isInteger(whole); power--) whole *= 2;
  return { digits: BigInt(whole) * 5n ** BigInt(-power), power };
}

const times10 = ({ digits, power }: Decimal, least: number): bigint => digits * 10n ** BigInt(power - least);

/** Returns twice the distance of two numbers, and the last digit of the first, both in the same unit. */
function twiceApart(one: Decimal, other: Decimal): readonly [twice: bigint, digit: bigint] {
  const least = Math.min(one.power, other.power);
  const apart = times10(one, least) - times10(other, least);
  return [(apart < 0n ? -apart : apart) * 2n, 10n ** BigInt(one.power - least)];
}

/** Returns true for a number whose double is exactly between it and the next number with as many digits: each can be written for it. */
function isTie(text: string): boolean {
  if (!Number.isFinite(Number(text))) return false;
  const [twice, digit] = twiceApart(decimalOf(text), exactly(Number(text)));
  return twice === digit;
}

const isInteger = ({ digits, power }: Decimal): boolean => power >= 0 || digits % 10n ** BigInt(-power) === 0n;

const digits = fc.stringMatching(/^(0|[1-9]\d{0,24})$/);
const numberText = fc
  .tuple(
    fc.constantFrom("", "-"),
    fc.oneof(digits, fc.bigInt({ min: 2n ** 53n - 9n, max: 2n ** 53n + 9n }).map(String)),
    fc.oneof(fc.constant(""), fc.stringMatching(/^\.\d{1,24}$/)),
    fc.constantFrom("", "", "e0", "E5", "e-7", "e+22", "e-20", "e290", "e-320", "e400"),
  )
  .map((parts) => parts.join(""));

/** Of a fraction, digits that its double has may be missing: 0.10000000000000001 is written as 0.1. */
function isKept(text: string): boolean {
  const value = Number(text);
  if (!Number.isFinite(value) || Object.is(value, -0)) return false;
  const given = decimalOf(text);
  if (twiceApart(given, decimalOf(JSON.stringify(value)))[0] === 0n) return true;
  const [twice, digit] = twiceApart(given, exactly(value));
  return !isInteger(given) && given.digits.toString().length <= 60 && twice <= digit;
}

test("O1: a number was read as another one without a word", () => {
  const misread = fc.property(
    fc.oneof(numberText, fc.double({ noNaN: true, noDefaultInfinity: true }).map(String)),
    (text) => {
      fc.pre(!isTie(text));
      return (changeOfNumber(text) === undefined) === isKept(text);
    },
  );
  expect(() => fc.assert(misread, { numRuns: 20_000 })).not.toThrow();
});

test.each([
  ["0", "1.10", "1e3", "1E+3", "0e5", "0.1", "-0.5", "1e23", "5e-324", "9007199254740991", "9007199254740992"],
  [
    "1.7976931348623157e308",
    "100000000000000000000",
    "0.10000000000000001",
    "0.10000000000000000555",
    `1.${"0".repeat(3_000)}`,
  ],
])("O1: %s and numbers like it were refused, although nothing changes", (...texts) => {
  for (const text of texts) expect([text, changeOfNumber(text)]).toEqual([text, undefined]);
});

test.each([
  ["12345678901234567890", "12345678901234567000"],
  // Exact as a double, but written with other digits.
  ["12345678901234567168", "12345678901234567000"],
  ["9007199254740993", "9007199254740992"],
  ["90071992547409.93", "90071992547409.94"],
  ["33.3333333333333333", "33.333333333333336"],
  ["1e400", "null"],
  ["-1e400", "null"],
  ["1e-400", "0"],
  ["-0", "0"],
  ["-0.0e7", "0"],
])("O1: %s became %s", (text, change) => {
  expect(changeOfNumber(text)).toBe(change);
});

/** JSON texts with one number or one member that changes, and the path to it. */
const spoiled = fc.letrec<{ inner: [string, (string | number)[]] }>((tie) => ({
  inner: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom("12345678901234567890", "-0", "1e400").map((text): [string, []] => [text, []]),
    fc
      .tuple(fc.array(fc.json({ maxDepth: 2 }), { maxLength: 3 }), tie("inner"))
      .map(([before, [text, path]]): [string, (string | number)[]] => [
        `[${[...before, text, '"9007199254740993"'].join(" , ")}]`,
        [before.length, ...path],
      ]),
    fc
      .tuple(anyText, tie("inner"))
      .map(([name, [text, path]]): [string, (string | number)[]] => [
        `{"${name === "a:1" ? "b" : "a:1"}":{"c":[1,{}]},\n${JSON.stringify(name)}:${text}}`,
        [name, ...path],
      ]),
  ),
})).inner;

test("O1: a pointer did not lead to the value that would change", () => {
  fc.assert(
    fc.property(spoiled, ([text, path]) => {
      const pointer = path.map((step) => `/${String(step).replaceAll("~", "~0").replaceAll("/", "~1")}`).join("");
      expect(errorOf(text)).toMatchObject({ kind: "number", problems: [{ pointer }] });
    }),
    { numRuns: 2_000 },
  );
});

test("O1: of two members, the first was dropped without a word", () => {
  const escaped = (text: string): string =>
    Array.from({ length: text.length }, (_, at) => `\\u${text.charCodeAt(at).toString(16).padStart(4, "0")}`).join("");
  fc.assert(
    fc.property(anyText, fc.json(), fc.json(), (twice, one, other) => {
      const text = `[{"x y":{},"in":{${JSON.stringify(twice)}:${one},"${escaped(twice)}" : ${other}}}]`;
      const pointer = `/0/in/${twice.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      expect(errorOf(text)).toMatchObject({
        kind: "duplicate",
        problems: [{ pointer, message: "is there twice: keep one" }],
      });
    }),
    { numRuns: 1_000 },
  );
});

test("O1: JSON whose values are kept was refused or read differently", () => {
  fc.assert(
    fc.property(fc.json({ maxDepth: 6 }), fc.constantFrom(0, 1), (json, space) => {
      const text = JSON.stringify(JSON.parse(json), null, space);
      expect(parseExactJson(text)).toEqual(JSON.parse(text));
      expect(parseExactJson(new TextEncoder().encode(text))).toEqual(JSON.parse(text));
    }),
    { numRuns: 2_000 },
  );
});

/** Returns what JSON.parse reads; undefined if it refuses. */
function jsonOf(text: string): string | undefined {
  try {
    return JSON.stringify(JSON.parse(text));
  } catch {
    return undefined;
  }
}

test("any bytes are read as JSON.parse reads them, or refused", () => {
  const json = fc
    .array(fc.constantFrom(...Array.from('{}[]:,"\\0123456789.-+eE truefalsn\u0000é😀')))
    .map((all) => all.join(""));
  fc.assert(
    fc.property(fc.oneof(json, anyText), (text) => {
      const error = errorOf(text, 20);
      const read = jsonOf(text);
      if (error?.kind === "too_deep") return true;
      if (error?.kind === "not_json" || read === undefined) return error?.kind === "not_json" && read === undefined;
      return error !== undefined || JSON.stringify(parseExactJson(text)) === read;
    }),
    { numRuns: 5_000 },
  );
  expect(errorOf(new Uint8Array([0x22, 0xff, 0x22]))?.message).toBe("is not UTF-8");
  expect(parseExactJson(new Uint8Array([0xef, 0xbb, 0xbf, 0x37]))).toBe(7);
});

test("a megabyte of anything is read or refused in well under a second", () => {
  const texts = [
    "[".repeat(1_000_000),
    `[${"1".repeat(1_000_000)}]`,
    `[1.${"0".repeat(1_000_000)}]`,
    `[${"1e0,".repeat(250_000)}0]`,
    `["${"\\\\".repeat(500_000)}"]`,
    `["${'\\"'.repeat(500_000)}"`,
    `{${'"a":1,'.repeat(170_000)}"a":1}`,
    `[${"-0,".repeat(330_000)}-0]`,
  ];
  for (const text of texts) {
    const before = process.threadCpuUsage();
    const error = errorOf(text);
    expect(error?.problems.length ?? 0).toBeLessThanOrEqual(20);
    expect(process.threadCpuUsage(before).user).toBeLessThan(800_000);
  }
});

test("the error names every place, and its message is a predicate of the text", () => {
  expect(errorOf('{"a/b":[-0],"c":{"d":1,"d":1e400}}')).toMatchObject({
    kind: "duplicate",
    message:
      "can't be kept as sent: /a~1b/0 is -0, which would become 0: send it as text; /c/d is there twice: keep one; /c/d is 1e400, which would become null: send it as text",
    value: { "a/b": [-0], c: { d: Infinity } },
  });
  expect(errorOf("[[[]]]", 2)).toMatchObject({ kind: "too_deep", message: "is nested in more than 2 levels" });
  expect(errorOf("[[[]", 2)).toMatchObject({ kind: "not_json" });
  expect(errorOf("{")).toMatchObject({ kind: "not_json", message: "is not JSON", problems: [{ pointer: "" }] });
});

test("O20: a number that nobody calculates with is kept as its text; the others are exact or refused", () => {
  const text = '{"id":1234567890123456789,"n":[0.5,-0.0,1e400],"m":1}';
  const read = (isText: (pointer: string) => boolean): unknown => parseExactJson(text, { areTexts: isText });
  expect(read(() => true)).toEqual({ id: "1234567890123456789", n: [0.5, "-0.0", "1e400"], m: 1 });
  expect(() => read((pointer) => pointer !== "/n/1")).toThrow("/n/1 is -0.0, which would become 0");
  expect(() => parseExactJson('{"a":1,"a":12345678901234567890}', { areTexts: () => true })).toThrow("is there twice");
});

test("X15: a long name was read again for each number below it", () => {
  const lengths: number[] = [];
  const text = `{"${"a".repeat(100_000)}":[{"b":[${Array(100).fill("1e400").join()}]}]}`;
  parseExactJson(text, { areTexts: (pointer) => lengths.push(pointer.length) > 0 });
  expect([lengths.length, Math.max(...lengths)]).toEqual([100, 1_001]);
});
