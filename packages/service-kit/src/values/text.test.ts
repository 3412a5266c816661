import { expect, test } from "vitest";
import { isNearName, isLoopback, isReadableOnTheWay, showUnseen, visibleLine } from "./text.ts";

test.each([
  ["SLACK_SIGNIN_SECRET", "SLACK_SIGNING_SECRET", true],
  ["SLACK_SINGING_SECERT", "SLACK_SIGNING_SECRET", true],
  ["KAFKA_BROKER", "KAFKA_BROKERS", true],
  ["EXECUTION_PROT", "EXECUTION_PORT", true],
  ["SLACK_BOT_TOKEN", "SLACK_APP_TOKEN", false],
  ["DB_HOST", "DB_PORT", false],
  ["DB_POTR", "DB_PORT", true],
  ["A_B", "A_B_C_D", false],
])("%s for %s: %s", (name, known, near) => {
  expect(isNearName(name, known)).toBe(near);
  expect(isNearName(known, name)).toBe(near);
});

test.each([
  ["https://example.com", false],
  ["http://127.0.0.1:4000/rpc", false],
  ["http://[::1]:4000", false],
  ["http://localhost", false],
  ["http://example.com", true],
  ["http://127.0.0.1.example.com", true],
])("%s can be read in transit: %s", (url, expected) => {
  expect(isReadableOnTheWay(url)).toBe(expected);
});

test.each(["localhost", "LOCALHOST", "127.0.0.1", "127.1.2.3", "::1", "[::1]"])("%s is this machine", (host) => {
  expect(isLoopback(host)).toBe(true);
});

test.each(["", "0.0.0.0", "::", "10.0.0.1", "127.0.0.1.example.com", "localhost.example.com", "x127.0.0.1"])(
  "“%s” is not this machine",
  (host) => {
    expect(isLoopback(host)).toBe(false);
  },
);

/** Every character that displays as nothing, as a blank that is no space, or that changes the direction of others. */
const unseen = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800\u3000]/u.test(one),
);

test("every character that people can't see becomes an escape of JSON, and is left out of a line", () => {
  expect(unseen.length).toBeGreaterThan(4_170);
  for (const one of [...unseen, "\u0000", "\u009b", "\ud800", "\ue000", "\u{16FE4}", "\u{1D159}"]) {
    const json = showUnseen(JSON.stringify({ a: `x${one}y` }));
    expect(json).toMatch(/^\{"a":"x(\\u[\da-f]{4}){1,2}y"\}$/);
    expect(JSON.parse(json)).toEqual({ a: `x${one}y` });
    expect(visibleLine(`x${one}y`)).toMatch(/^x ?y$/);
  }
});

test("words and emoji of any language stay as they are", () => {
  const text = "日本語 مرحبا é ❤️ 👩‍👩‍👧‍👦 1️⃣ 🏴󠁧󠁢󠁥󠁮󠁧󠁿 नमस्ते";
  expect([showUnseen(text), visibleLine(text)]).toEqual([text, text]);
  expect(showUnseen("two\n\tlines")).toBe("two\n\tlines");
  expect(visibleLine("two\n\tlines ")).toBe("two lines");
  // A selector that belongs to no emoji can carry a text.
  expect([showUnseen("😀\u{E0100}"), visibleLine("😀\u{E0100}a\uFE0F")]).toEqual(["😀\\udb40\\udd00", "😀a"]);
});
