import type { Attachment } from "@crosszone/contracts";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { RunContext } from "./skill.ts";
import { ask, run } from "./testing/ask-builtin.ts";

type ReadAttachment = RunContext["readFile"];

describe("arithmetic", () => {
  test.each([
    ["0.1 + 0.2", "= **0.3**"],
    ["What is 12% of 340?", "= **40.8**"],
    ["1,234.5 * 3", "= **3703.5**"],
    ["12345 * 6789", "= **83,810,205**"],
    ["3 * (1/3)", "= **1**"],
    ["1/3", "≈ **0.333333333333333**"],
    ["200/3", "≈ **66.6666666666667**"],
    ["1/300000", "≈ **0.00000333333333333333**"],
    ["-1/7 - 2", "≈ **-2.14285714285714**"],
    ["9.99999999999999999999 / 3 * 3", "= **9.99999999999999999999**"],
    ["29.99999999999999999999997 / 3", "≈ **10**"],
    ["0 * 7", "= **0**"],
    ["-2^2", "= **-4**"],
    ["2^3^2", "= **512**"],
    ["2^-3", "= **0.125**"],
    ["(-1)^9999", "= **-1**"],
    ["2^100", "= **1,267,650,600,228,229,401,496,703,205,376**"],
    ["3 x 4", "= **12**"],
    ["12 ÷ 4 × 2", "= **6**"],
    ["１＋２＝？", "= **3**"],
    ["5 plus 23 minus 1 times 2", "= **26**"],
    ["2 -- 3", "= **5**"],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["200 + 10%", "= **220**"],
    ["200 + 10% + 10%", "= **242**"],
    ["80 - 20%", "= **64**"],
    ["10% + 5", "= **5.1**"],
    ["10% + 5%", "= **0.15**"],
    ["(5)% * 3", "= **0.15**"],
  ])("percent: %s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["2+2 in words?", "`2+2` in words = **four**"],
    ["0 in words", "**zero**"],
    ["-12.5 in words", "**minus twelve point five**"],
    ["40.8 as words", "**forty point eight**"],
    ["1,001,100,021 in words", "**one billion one million one hundred thousand twenty-one**"],
    ["999 * 1001 in words", "**nine hundred ninety-nine thousand nine hundred ninety-nine**"],
  ])("words: %s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["9^9^9^9", "too large"],
    ["10^20000", "too large"],
    ["10^41", "too large"],
    ["10^-30", "too precise"],
    ["(".repeat(10_000), "too long"],
    ["(".repeat(400) + "1" + ")".repeat(400), "nests more than 60"],
    ["-".repeat(400) + "1", "nests more than 60"],
    ["1+".repeat(5000) + "1", "too long"],
    ["1/0", "Division by zero"],
    ["0^-1", "Division by zero"],
    ["2^0.5", "whole power"],
    ["7 % 3", "can't read"],
    ["1 +", "can't read"],
    ["(1", "can't read"],
    ["1,5 + 2", "with a point"],
    ["10^20 in words", "too long to write"],
  ])("gives the reason for a failure: %s", async (question, sentence) => {
    const { response_text, skill } = await run(question);
    expect(skill).toBe("arithmetic");
    expect(response_text).toContain(sentence);
  });

  test.each(["12", "2026-11-20 is a Friday", "a+b", "C++", "+49 30 1234567 is my number", "in words"])(
    "is not asked for by %j",
    async (text) => {
      expect((await run(text)).skill).not.toBe("arithmetic");
    },
  );

  test("property: sums, differences and products of whole numbers are exact", () =>
    fc.assert(
      fc.asyncProperty(fc.bigInt(-(10n ** 18n), 10n ** 18n), fc.bigInt(-(10n ** 18n), 10n ** 18n), async (a, b) => {
        const digits = async (question: string) => /\*\*(.*)\*\*/.exec(await ask(question))?.[1]?.replaceAll(",", "");
        expect(await digits(`(${a}) + (${b})`)).toBe(String(a + b));
        expect(await digits(`(${a}) - (${b})`)).toBe(String(a - b));
        expect(await digits(`(${a}) * (${b})`)).toBe(String(a * b));
      }),
    ));

  test("property: a quotient differs from that of floating point by less than its last digits", () =>
    fc.assert(
      fc.asyncProperty(fc.integer({ min: 1 }), fc.integer({ min: 1 }), async (a, b) => {
        const [, said = ""] = /\*\*(.*)\*\*/.exec(await ask(`${a} / ${b}`)) ?? [];
        const value = Number(said.replaceAll(",", ""));
        expect(Math.abs(value / (a / b) - 1)).toBeLessThan(1e-13);
      }),
    ));
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const csv = { id: "F1", name: "ages.csv", mime_type: "text/csv", size: 24 };
const reading =
  (text: string): ReadAttachment =>
  async () =>
    bytes(text);

test("lists the files that arrived, and why each unread one was not read", async () => {
  const attachments = [{ name: "photo|1.png", mime_type: "image/png", size: 1_234_567 }, { size: 999 }, csv];
  const answer = await ask("what did I attach", { attachments }, async () => bytes("a,b\n1,2"));
  expect(answer).toBe(
    "**3 files arrived.**\n- `ages.csv`: 2 lines, 2 words\n\n_I did not read 2 files (`photo|1.png`, `unnamed`). I read only text, CSV, JSON and Markdown._",
  );
});

test.each<[why: string, attachment: Attachment, readFile: ReadAttachment]>([
  ["Slack has no contents of it.", csv, async () => Promise.reject(new Error("Slack has no contents of it."))],
  ["It is not UTF-8 text.", csv, async () => Uint8Array.of(0xff, 0xfe, 0x41)],
  ["It is larger than 1 MB, the most that I read.", { ...csv, size: 1_000_001 }, reading("")],
  ["It is larger than 1 MB, the most that I read.", csv, async () => new Uint8Array(1_000_001)],
  ["It came without an id, so it can't be fetched.", { name: "a.csv" }, reading("")],
  ["It was deleted.", { ...csv, unreadable: "It was deleted." }, reading("a,b")],
  ["I read only text, CSV, JSON and Markdown.", { id: "F1", name: "a.html", mime_type: "text/html" }, reading("")],
])("an answer without one of its files says why: %s", async (why, attachment, readFile) => {
  const { response_text, skill } = await run("2+2", { attachments: [attachment] }, readFile);
  expect(skill).toBe("arithmetic");
  expect(response_text).toMatch(/^`2\+2` = \*\*4\*\*\n\n_I did not read 1 file \(`[\w.]+`\)\. /);
  expect(response_text).toContain(why);
});

test("a file that was sent as text is not fetched, and at most five files are", async () => {
  const readFile = vi.fn<ReadAttachment>(async (id) => bytes(`text of ${id}`));
  const attachments = Array.from({ length: 8 }, (_, n) => ({ id: `F${n}`, name: `${n}.txt` }));
  const answer = await ask("2+2", { attachments: [{ id: "F9", name: "x.txt", text: "hi" }, ...attachments] }, readFile);
  expect(readFile.mock.calls.flat()).toEqual(["F0", "F1", "F2", "F3", "F4"]);
  expect(answer).toContain("_I did not read 3 files (`5.txt`, `6.txt`, `7.txt`). I read only the first 5 files._");
});

test("W6: files of the thread are read for a question about files without any of its own, and not mentioned elsewhere", async () => {
  const readFile = vi.fn<ReadAttachment>(async (id) => bytes(`text of ${id}`));
  const came = { thread: [{ text: "", files: [csv] }], attachments: [csv] };
  expect(await ask("what is in the files?", came, readFile)).toContain("`ages.csv`");
  expect(await ask("2+2", came, readFile)).toBe("`2+2` = **4**");
  const own = { id: "F2", name: "own.txt" };
  expect(await ask("files", { ...came, attachments: [own, csv] }, readFile)).toContain("`own.txt`");
  expect(readFile.mock.calls.flat()).toEqual(["F1", "F2"]);
});

test("a message that no other skill handles is answered with the files", async () => {
  expect((await run("what is in this picture?", { attachments: [{ name: "a.png" }] })).skill).toBe("files");
  expect(await ask("what did I attach")).toBe("No file arrived with your message.");
  expect((await run("what is in the news?")).skill).toBeUndefined();
});

test.each([
  ["arithmetic", `${"(1.1/0.3333+".repeat(50)}1${")".repeat(50)}`, {}],
  ["arithmetic", `${"1/7/".repeat(240)}3`, {}],
  ["arithmetic", `${"(9/7)^99*(7/11)^99+".repeat(50)}1`, {}],
])("L3: %s: the zone's thread is free again within half a second of CPU", async (skill, question, input) => {
  const before = process.cpuUsage();
  const answer = await run(question, input);
  const { user, system } = process.cpuUsage(before);
  expect(answer.skill).toBe(skill);
  expect((user + system) / 1_000).toBeLessThan(500);
});
