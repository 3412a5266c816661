import { cpuMsOf, growthOf } from "@crosszone/testkit/cpu";
import { array, assert, constantFrom, property, string } from "fast-check";
import { expect, test } from "vitest";
import {
  createThoughtFilter,
  editDistance,
  isNearName,
  isLoopback,
  isReadableOnTheWay,
  readSearch,
  showUnseen,
  visibleLine,
  withoutThoughts,
} from "./text.ts";

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

test("a name is near to another if their edit distance says so", () => {
  const name = string({ unit: constantFrom("a", "b", "c"), maxLength: 12 });
  assert(
    property(name, name, (one, other) => {
      expect(isNearName(one, other)).toBe(editDistance(one, other) <= (other.length < 10 ? 1 : 2));
    }),
    { numRuns: 2_000 },
  );
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

const fence = "```";
test.each([
  ["<think>Let me see.</think>\n\n42", "42"],
  ["<think>\n</think>42", "42"],
  ["<THINKING>a</Thinking> 42", "42"],
  ['<reasoning effort="low">a</reasoning>42', "42"],
  ["First.\n\n<think>a</think>\n\nThen.", "First.\n\nThen."],
  ["One.<think>a</think>\n\nTwo.", "One.\n\nTwo."],
  ["One. <think>a</think> Two.", "One. Two."],
  ["<think>a <b> `</think>` c", "` c"],
  [`<think>${fence}\n</think>42`, "42"],
  ['<tool_call>\n{"name":"a"}\n</tool_call>\n42', "42"],
  ['42\n<tool_call>{"name":"a"}', "42"],
  ["42\n<think>\nand so on", "42"],
  ["42\n<think>and so on", "42"],
  ["<think>never ends", ""],
  ["[THINK]a[/THINK]42", "42"],
  ["42\n[TOOL_CALLS]look_up{}", "42"],
  ["See [think](a) and [THINK].", "See [think](a) and [THINK]."],
  ["a </think>\nb <thin", "b <thin"],
  ["I think so.\n</think>42", "42"],
  ["I think so.\n</think>\n\n42", "42"],
  ["I think so.</think>\n42", "42"],
  ["Use the `<think>` tag: `</think>`", "Use the `<think>` tag: `</think>`"],
  [`${fence}xml\n<think>a</think>\n${fence}\n`, `${fence}xml\n<think>a</think>\n${fence}\n`],
  ["The <think> tag begins it.", "The <think> tag begins it."],
  ["A </think> ends it.", "A </think> ends it."],
  ["a < b and <b>bold</b>", "a < b and <b>bold</b>"],
  ["<thinker>a</thinker>", "<thinker>a</thinker>"],
])("what people read of %j is %j", (text, read) => expect(withoutThoughts(text)).toBe(read));

/** Returns what people read of a text that comes in pieces. */
function readOf(pieces: Iterable<string>): string {
  const filter = createThoughtFilter();
  return [...Iterator.from(pieces).map((piece) => filter(piece)), filter("", true)].join("");
}

test("J8: people read the same of a text, in whatever pieces it comes", () => {
  const thoughts = ["<think>b</think>", "[THINK]b[/THINK]", "<tool_call>{}</tool_call>", "<think>", "<think x=1>"];
  const others = ["a", " ", "\n", "`", "```", "~~~", "<", ">", "[", "]", "{", "<b>", "<thi", "nk>", "<think ", "</b> "];
  const all = array(constantFrom(...thoughts, ...others), { maxLength: 12 });
  const isSame = property(all, (pieces) => {
    const text = pieces.join("");
    for (const some of [pieces, text]) expect(readOf(some).trim()).toBe(withoutThoughts(text).trim());
  });
  assert(isSame, { numRuns: 5_000 });
});

test("J8: a thought that began before the text is left out if nothing was shown yet", () => {
  expect(readOf(["a\n</think>b"])).toBe("b");
  expect(readOf("a\n</think>b </think>\nc")).toBe("a\n\n\nb \n\nc");
});

test("a text of many thoughts, or of many tags without an end, takes less than a second", async () => {
  const texts = [
    "a<think>b</think>",
    "<think ",
    "<think>",
    "a <think> ",
    "</think>\n",
    "`<think>",
    "```\n",
    "[THINK]",
    "\n ",
  ].map((piece) => `${piece.repeat(20_000)}>`);
  const readAll = (): void =>
    [false, true].forEach((isPartial) => texts.forEach((one) => withoutThoughts(one, isPartial)));
  expect(await cpuMsOf(readAll)).toBeLessThan(1_000);
});

/** Wednesday noon on this machine's clock. */
const noon = new Date(2026, 10, 25, 12, 0).getTime();
const around = (...of: [number, number, number, number, number]) => {
  const at = new Date(...of).getTime();
  return { since: at - 900_000, until: at + 900_000 };
};
const day = (date: number) => ({
  since: new Date(2026, 10, date).getTime(),
  until: new Date(2026, 10, date + 1).getTime(),
});
const reference = "f8a53243-76d1-4764-b836-4766d22d188e";
const link = { kind: "link", channel: "C0GENERAL01", ts: "1732184531.000200", thread_ts: undefined };
const inThread = { ...link, thread_ts: "1732184000.000100" };

test.each([
  [reference, { kind: "id", id: reference }],
  [`It failed. Reference: ${reference.toUpperCase()}.`, { kind: "id", id: reference }],
  ["Reference: c-1", { kind: "id", id: "c-1" }],
  ["task_01JD2Q8Z6V3N4M5K7P9R0S1T2W", { kind: "id", id: "task_01JD2Q8Z6V3N4M5K7P9R0S1T2W" }],
  ["https://acme.slack.com/archives/C0GENERAL01/p1732184531000200", link],
  [" <https://acme.slack.com/archives/C0GENERAL01/p1732184531000200|this> ", link],
  ["http://127.0.0.1:3100/archives/C0GENERAL01/p1732184531000200", link],
  ["https://a.slack.com/archives/C0GENERAL01/p1732184531000200?thread_ts=1732184000.000100&cid=C0GENERAL01", inThread],
  ["https://a.slack.com/archives/C0GENERAL01/p1732184531000200?thread_ts=1732184000.000100&amp;cid=C0", inThread],
  ["slack://channel?team=T1&id=C0GENERAL01&message=1732184531.000200&thread_ts=1732184000.000100", inThread],
  ["https://app.slack.com/client/T1/C0GENERAL01/thread/C0GENERAL01-1732184531.000200", link],
  ["Alice", { kind: "people", person: "Alice" }],
  ["<@U0ALICE0001|alice>", { kind: "people", person: "U0ALICE0001" }],
  ["Alice 10:42", { kind: "people", person: "Alice", ...around(2026, 10, 25, 10, 42) }],
  ["@alice at 2:05 pm", { kind: "people", person: "alice", ...around(2026, 10, 24, 14, 5) }],
  ["10:42:17 Alice Adams", { kind: "people", person: "Alice Adams", ...around(2026, 10, 25, 10, 42) }],
  ["U0ALICE yesterday 10:42", { kind: "people", person: "U0ALICE", ...around(2026, 10, 24, 10, 42) }],
  ["alice 2026-11-21T10:42", { kind: "people", person: "alice", ...around(2026, 10, 21, 10, 42) }],
  ["alice 2026-11-21 at 9:05", { kind: "people", person: "alice", ...around(2026, 10, 21, 9, 5) }],
  [
    "Bob Müller 2026-11-21T10:42:00Z",
    {
      kind: "people",
      person: "Bob Müller",
      since: Date.UTC(2026, 10, 21, 10, 27),
      until: Date.UTC(2026, 10, 21, 10, 57),
    },
  ],
  ["Alice yesterday", { kind: "people", person: "Alice", ...day(24) }],
  ["alice 2026-11-21", { kind: "people", person: "alice", ...day(21) }],
  ["12:10 am", { kind: "people", person: undefined, ...around(2026, 10, 25, 0, 10) }],
])("W17: what people paste or type is read: %s", (text, expected) => {
  expect(readSearch(text, noon)).toEqual(expected);
});

test.each([
  ["  ", "Expected a reference"],
  ["https://acme.slack.com/archives/C0GENERAL01", "names no message"],
  ["https://example.com/p1732184531000200", "names no message"],
  ["Alice 25:99", "25:99"],
  ["Alice 2026-13-40", "2026-13-40"],
])("what can't be read is said: %j", (text, why) => {
  expect(readSearch(text, noon)).toEqual({ unread: expect.stringContaining(why) as string });
});

test("X15: a model's text was read again with each of its pieces", async () => {
  const write = (pieces: number): void => {
    const filter = createThoughtFilter();
    const shown = Array.from({ length: pieces }, () => filter("[a] b ")).join("");
    expect(shown + filter("", true)).toBe("[a] b ".repeat(pieces));
  };
  expect(await growthOf(write, 3_000)).toBeLessThan(10);
});
