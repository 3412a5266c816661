import { anyText } from "@crosszone/contracts/any-text";
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "./json.ts";

/** https://www.rfc-editor.org/rfc/rfc8785#section-3.2.2 and #section-3.2.3 */
test("the examples of RFC 8785 have their canonical form", () => {
  const example = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`;
  expect(canonicalJson(JSON.parse(example))).toBe(
    String.raw`{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\u000f\nA'B\"\\\\\"/"}`,
  );
  const names = ["\u20ac", "\r", "\ufb33", "1", "\ud83d\ude00", "\u0080", "\u00f6"];
  const sorted = ["\r", "1", "\u0080", "\u00f6", "\u20ac", "\ud83d\ude00", "\ufb33"];
  const text = canonicalJson(Object.fromEntries(names.map((name) => [name, 0])));
  expect(text).toBe(`{${sorted.map((name) => `${JSON.stringify(name)}:0`).join(",")}}`);
});

test("names like numbers, undefined members and __proto__ have one form, too", () => {
  const value = JSON.parse(`{"10":1,"9":2,"__proto__":{"b":1,"a":[2,{}]}}`) as object;
  expect(canonicalJson({ ...value, gone: undefined })).toBe(`{"10":1,"9":2,"__proto__":{"a":[2,{}],"b":1}}`);
});

test("P6: a digest was over another value than the one that is sent", () => {
  const any = fc.anything({ values: [fc.double(), anyText, fc.boolean(), fc.constant(null)] });
  fc.assert(
    fc.property(any, (value) => {
      const sent = JSON.stringify({ value });
      expect(canonicalJson({ value })).toBe(canonicalJson(JSON.parse(sent)));
    }),
  );
  const odd = { a: [-0, undefined, Number.NaN], b: undefined, c: "\ud800", d: 1e23 };
  expect(canonicalJson(odd)).toBe('{"a":[0,null,null],"c":"\\ud800","d":1e+23}');
});
