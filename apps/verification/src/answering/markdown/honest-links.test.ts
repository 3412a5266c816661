import { expect, test } from "vitest";
import { honestLinks } from "./honest-links.ts";

test.each([
  ["[https://bank.example](https://evil.example/x)", "evil.example"],
  ["[bank.example/login](http://evil.example)", "evil.example"],
  ["[**bank.example**](<http://evil.example/a b>)", "evil.example"],
  ['[www.bank.example](https://evil.example "bank.example")', "evil.example"],
  ["[https://bank.example](https://bank.example@evil.example/)", "evil.example"],
  ["[Go to bank.example now](https://evil.example)", "evil.example"],
  ["[bank.example](https://login.bank.example)", "login.bank.example"],
  ["[bank.example](https://bänk.example)", "xn--bnk-qla.example"],
  ["[bank.example](https://bank.example:8443/)", "bank.example:8443"],
  ["[b\u200Bank.example](https://evil.example)", "evil.example"],
  [String.raw`[bank\.example](https://evil.example)`, "evil.example"],
  ["[bank.example](https://evil.example/a_(b))", "evil.example"],
  ["<http://evil.example/|https://bank.example>", "evil.example"],
])("a label that names a different host is followed by the link's host: %s", (link, host) => {
  expect(honestLinks(`See ${link}.`)).toBe(`See ${link} (${host}).`);
});

test.each([
  "[https://bank.example/a](https://bank.example/b)",
  "[Bank.example](https://www.bank.example/)",
  "[the bank](https://evil.example)",
  "<https://bank.example|bank.example>",
  "https://bank.example",
  "[mail me](mailto:a@bank.example)",
  "[bank.example](#section)",
  "a | b.example | c",
  "`[bank.example](https://evil.example)`",
  "``a ` [bank.example](https://evil.example)``",
  "```\n[bank.example](https://evil.example)\n```",
  "[bank.example](",
])("text without a misleading link is unchanged: %s", (text) => {
  expect(honestLinks(text)).toBe(text);
});

test("each of several links in a line is checked separately", () => {
  expect(honestLinks("[a.example](https://a.example) [b.example](https://c.example) `x`")).toBe(
    "[a.example](https://a.example) [b.example](https://c.example) (c.example) `x`",
  );
});

test.each(["[", "[a.", "[a](", "`", "<https:", "a.", "[a](b ", "[\\[", "<https:a|b", "\\"])(
  "a line of 100,000 characters of %j is processed in time",
  (piece) => {
    const text = `](|${piece.repeat(Math.ceil(100_000 / piece.length))}`;
    expect(honestLinks(text)).toBe(text);
  },
);
