import { describe, expect, it } from "vitest";
import { jsonTokens } from "../traffic/traffic-row.ts";
import {
  avatarColor,
  avatarColors,
  clockTime,
  dayKey,
  dayLabel,
  fileSize,
  initials,
  type TimeStyle,
} from "./labels.ts";

describe("times", () => {
  const now = Date.UTC(2026, 10, 20, 0, 30);
  const style: TimeStyle = { locale: "en-US", timeZone: "Europe/Berlin", now };
  const ts = (date: number): string => `${date / 1000}.000100`;

  it("are in the zone of the reader, not in UTC", () => {
    expect(clockTime(ts(Date.UTC(2026, 10, 19, 23, 30)), style)).toMatch(/^12:30\sAM$/);
    expect(dayKey(ts(Date.UTC(2026, 10, 19, 23, 30)), style)).toBe("2026-11-20");
  });

  it.each([
    [Date.UTC(2026, 10, 19, 23, 30), "Today"],
    [Date.UTC(2026, 10, 19, 22, 30), "Yesterday"],
    [Date.UTC(2026, 10, 14, 12), "Saturday, November 14"],
    [Date.UTC(2025, 10, 14, 12), "Friday, November 14, 2025"],
  ])("day of %d is %s", (date, label) => {
    expect(dayLabel(ts(date), style)).toBe(label);
  });
});

describe("initials", () => {
  it.each([
    ["Ada Lovelace", "AL"],
    ["crosszone", "C"],
    ["千代 (Chiyo) Sato", "千S"],
    ["mary jane van dyke", "MD"],
    ["𝒜da", "𝒜"],
    ["  ", "?"],
  ])("%j is %s", (name, letters) => {
    expect(initials(name)).toBe(letters);
  });

  it("have a color that stays the same and exists", () => {
    expect(avatarColor("U0ALICE0001")).toBe(avatarColor("U0ALICE0001"));
    const colors = new Set(Array.from({ length: 200 }, (_, index) => avatarColor(`U${index}`)));
    expect(colors.size).toBe(avatarColors);
    expect(Math.max(...colors)).toBe(avatarColors - 1);
  });
});

it.each([
  [0, "0 B"],
  [999, "999 B"],
  [1000, "1.0 KB"],
  [48_213, "48 KB"],
  [3_400_000, "3.4 MB"],
  [9e12, "9000 GB"],
])("%d bytes are %s", (bytes, label) => {
  expect(fileSize(bytes)).toBe(label);
});

describe("JSON", () => {
  it("names keys, strings, numbers and words", () => {
    const kinds = jsonTokens({ 'a"b': ["x: 1", -1.5e3, null] }).filter(({ kind }) => kind !== "plain");
    expect(kinds.map(({ kind, text }) => [kind, text.trim()])).toEqual([
      ["key", '"a\\"b":'],
      ["string", '"x: 1"'],
      ["number", "-1500"],
      ["word", "null"],
    ]);
  });

  it.each([undefined, "", "</pre><script>", { deep: [{ a: "\\" }] }])("loses nothing of %j", (value) => {
    const joined = jsonTokens(value)
      .map(({ text }) => text)
      .join("");
    expect(joined).toBe(value === undefined ? "nothing" : JSON.stringify(value, undefined, 2));
  });
});
