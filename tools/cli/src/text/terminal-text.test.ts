import { describe, expect, test } from "vitest";
import { columnsOf, harmless, harmlessJson, harmlessLine, table } from "./terminal-text.ts";

/** Every character that displays as nothing, as a blank that is no space, or that changes the direction of others. */
const unseen = Array.from({ length: 0x110000 }, (_, code) => String.fromCodePoint(code)).filter((one) =>
  /[\p{Default_Ignorable_Code_Point}\p{Cf}\p{Zl}\p{Zp}\u00A0\u1680\u2000-\u200A\u202F\u205F\u2800\u3000]/u.test(one),
);

describe("untrusted text", () => {
  test("hides no character", () => {
    const text = `pay${unseen.join("")}900`;
    const shown = harmless(text) + harmlessLine(text) + harmlessJson({ [text]: text });
    expect(unseen.filter((one) => shown.includes(one))).toEqual([]);
    expect(JSON.parse(harmlessJson({ [text]: text }))).toEqual({ [text]: text });
  });

  test("can't move the cursor, set colors or change the text direction, and stays visible", () => {
    expect(harmless("a\u001b[2Jb\u009bc\rd\u0007\u202ee\u2028f")).toBe(
      "a\\u001b[2Jb\\u009bc\\u000dd\\u0007\\u202ee\\u2028f",
    );
    expect(harmless("one\ttab\r\ntwo\n日本語 👩‍👩‍👧 مرحبا")).toBe("one\ttab\ntwo\n日本語 👩‍👩‍👧 مرحبا");
  });

  test("on one line can't start another line", () => {
    expect(harmlessLine("a\n\nb\tc")).toBe("a b c");
  });

  test("that is JSON stays equivalent", () => {
    const value = { "\u001b]0;x\u0007": "\u009b\u2028\u202e\r\n\t日本", n: [1, null, { a: -1.5 }] };
    const text = harmlessJson(value);
    expect(text).toMatch(/^[\n\u0020-\u007e日本]+$/);
    expect(JSON.parse(text)).toEqual(value);
  });
});

test("a table is aligned, also with wide characters, and no cell breaks its line", () => {
  const rows = [
    ["a", "日本語", "1"],
    ["long-id", "b\nc", ""],
  ];
  const text = table(["ID", "NAME", "X"], rows);
  expect(text).toBe(["ID       NAME    X", "a        日本語  1", "long-id  b c", ""].join("\n"));
});

const uuid = "bc81fc9b-e33d-4ef0-9c4a-a27cc023bd3b";
const wide = [[uuid, "an agent of many words", "agent_unavailable", "2h 01m", "U0ALICE0001", uuid]];

test.each([200, 120, 100, 80, 60, 40])(
  "Q13: on %i columns, no line is wider, no id is cut, and the last columns go first",
  (columns) => {
    const head = ["TASK", "AGENT", "STATE", "AGE", "PERSON", "REFERENCE"];
    const [titles = "", row = ""] = table(head, wide, { columns }).split("\n");
    for (const line of [titles, row]) expect(columnsOf(line)).toBeLessThanOrEqual(columns);
    expect(titles.trim().split(/ +/)).toEqual(head.slice(0, titles.trim().split(/ +/).length));
    const ids = row.split(/ {2,}/).filter((cell) => /^(bc81|U0)/.test(cell));
    expect([uuid, "U0ALICE0001"]).toEqual(expect.arrayContaining(ids));
  },
);

test("Q13: a line that even its first column fills is not cut", () => {
  expect(table(["TASK", "AGENT"], [[uuid, "a"]], { columns: 20 })).toBe(`TASK\n${uuid}\n`);
});

test("Q13: 80 columns have room for who asks a task", () => {
  const head = ["TASK", "AGENT", "STATE", "AGE", "PERSON", "REFERENCE"];
  expect(table(head, wide, { columns: 80 })).toMatch(/ {2}2h 01m {2}U0ALICE0001\n$/);
});
