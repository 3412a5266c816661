import * as fc from "fast-check";

/** `@crosszone/contracts/any-text`: any text. fast-check's unit "binary" lists all code points first, which takes a second. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.string(),
  fc.string({
    unit: fc
      .nat(0x10ffff)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code)),
  }),
);
