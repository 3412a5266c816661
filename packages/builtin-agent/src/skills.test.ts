import type { Attachment } from "@crosszone/contracts";
import { describe, expect, test, vi } from "vitest";
import type { ReadAttachment } from "./skill.ts";
import { loadLibraries } from "./builtin-agent.ts";
import { ask, run } from "./testing/ask-builtin.ts";

describe("arithmetic", () => {
  test.each([
    ["0.1 + 0.2", "= **0.3**"],
    ["What is 12% of 340?", "= **40.8**"],
    ["1,234.5 * 3", "= **3703.5**"],
    ["3 * (1/3)", "= **1**"],
    ["1/3", "≈ **0.333333333333333**"],
    ["square root of 2", "≈ **1.4142135623731**"],
    ["√16 + √(9)", "= **7**"],
    ["-2^2", "= **-4**"],
    ["2^3^2", "= **512**"],
    ["2^100", "= **1,267,650,600,228,229,401,496,703,205,376**"],
    ["max(1,200)", "= **200**"],
    ["7 mod 3", "= **1**"],
    ["-7 mod 3", "= **2**"],
    ["3 x 4", "= **12**"],
    ["12 ÷ 4 × 2", "= **6**"],
    ["１＋２＝？", "= **3**"],
    ["five plus twenty-three", "= **28**"],
    ["5 squared minus 3 cubed", "= **-2**"],
    ["2 to the power of 10", "= **1024**"],
    ["1e3 + 16", "= **1016**"],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["200 + 10%", "= **220**"],
    ["200 + 10% + 10%", "= **242**"],
    ["10% + 5", "= **5.1**"],
    ["10% + 5%", "= **0.15**"],
    ["20% off 80", "= **64**"],
    ["what percent of 80 is 20", "= **25 %**"],
    ["7 % 3", "= **1**"],
  ])("percent: %s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["9^9^9^9", "too large"],
    ["10^20000", "too large"],
    ["1e9999 * 10", "too large"],
    ["10^-9000 * 10^-9000", "too close to zero"],
    ["(".repeat(10_000), "too long"],
    ["(".repeat(400) + "1" + ")".repeat(400), "nests more than 60 parentheses"],
    ["1+".repeat(5000) + "1", "too long"],
    ["1/0", "Division by zero"],
    ["5 mod 0", "Division by zero"],
    ["sqrt(1, 2)", "takes 1 number, but got 2"],
    ["sqrt(-1)", "no real-number result"],
    ["sqrt 30", "`sqrt(2)`"],
    ["1 +", "can't read"],
    ["1,5 + 2", "with a point"],
    ["(5)% + 3", "right after its number"],
    ["10^40 in words", "too long to write"],
  ])("gives the reason for a failure: %s", async (question, sentence) => {
    const { response_text, skill } = await run(question);
    expect(skill).toBe("arithmetic");
    expect(response_text).toContain(sentence);
  });
});

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const csv = { id: "F1", name: "ages.csv", mime_type: "text/csv", size: 24 };
const reading =
  (text: string): ReadAttachment =>
  async () =>
    bytes(text);

test.each([
  ["text statistics", csv, "name,age\nAda,36\n", "text-statistics", "`ages.csv`"],
  ["text statistics", { id: "F1", name: "a.txt" }, "hello there", "text-statistics", "| Words | 2 |"],
])("“%s” applies to a file", async (...given) => {
  const [text, attachment, contents, skill, expected] = given;
  const answer = await run(text, { attachments: [attachment] }, reading(contents));
  expect(answer.skill).toBe(skill);
  expect(answer.response_text).toContain(expected);
  expect(answer.response_text).not.toContain("did not read");
});

test("lists the files that arrived, and why each unread one was not read", async () => {
  const attachments = [{ name: "photo|1.png", mime_type: "image/png", size: 1_234_567 }, { size: 999 }, csv];
  const answer = await ask("what did I attach", { attachments }, async () => bytes("a,b\n1,2"));
  expect(answer).toContain("**3 files arrived:**");
  expect(answer).toContain(String.raw`| photo\|1.png | image/png | 1.2 MB | not read |`);
  expect(answer).toContain("| unnamed | unknown | 999 bytes | not read |");
  expect(answer).toContain("| ages.csv | text/csv | 24 bytes | read |");
  expect(answer).toContain(
    "_I did not read 2 files (`photo|1.png`, `unnamed`). I read only text, CSV, JSON and Markdown._",
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

test("W6: files of the thread are read for a question about a text without files of its own, and not mentioned elsewhere", async () => {
  const readFile = vi.fn<ReadAttachment>(async (id) => bytes(`text of ${id}`));
  const came = { thread: [{ text: "", files: [csv] }], attachments: [csv] };
  expect(await ask("word count", came, readFile)).toContain("`ages.csv`");
  expect(await ask("2+2", came, readFile)).toBe("`2+2` = **4**");
  expect(await ask("what did I attach", came, readFile)).toBe("No file arrived with your message.");
  const own = { id: "F2", name: "own.txt" };
  expect(await ask("word count", { ...came, attachments: [own, csv] }, readFile)).toContain("`own.txt`");
  expect(readFile.mock.calls.flat()).toEqual(["F1", "F2"]);
});

test("a message that no other skill handles is answered with the files", async () => {
  expect((await run("what is in this picture?", { attachments: [{ name: "a.png" }] })).skill).toBe("attachments");
  expect(await ask("what did I attach")).toBe("No file arrived with your message.");
});

describe("text statistics", () => {
  test("counts words, sentences and lines, and lists frequent words", async () => {
    const answer = await ask("text statistics: The cat sat. The cat ran!\nA dog ran, a cat slept.");
    for (const row of ["Words | 12", "Distinct words | 7", "Sentences | 3", "Lines | 2", "cat (3), ran (2)"]) {
      expect(answer).toContain(row);
    }
  });

  test.each([
    ['how many words are in "one two three"?', "| Words | 3 |"],
    ["word count ```\none two\n```", "| Words | 2 |"],
    ["文字数：今日は", "| Characters | 3 |"],
  ])("takes the text from quotes, a code block or after a colon: %.40s", async (question, row) => {
    expect(await ask(question)).toContain(row);
  });

  test("accepts an attached text and names it", async () => {
    const answer = await ask("word count of the attached file", {
      attachments: [{ name: "notes.txt", text: "one two three" }],
    });
    expect(answer).toContain("`notes.txt`");
    expect(answer).toContain("| Words | 3 |");
  });

  test("states how much of a very long text it counted", async () => {
    expect(await ask(`word count: ${"a".repeat(300_000)}`)).toContain("first 50,000 characters of 300,000");
  });
});

test.each([
  ["arithmetic", `${"(1.1^0.3333+".repeat(50)}1${")".repeat(50)}`, {}],
  ["arithmetic", `9^1000${"/(1+0.1)^0.3333".repeat(60)}`, {}],
  ["text-statistics", `word count: ${"今日は良い天気です。明日も晴れるでしょう。".repeat(10_000)}`, {}],
])("L3: %s: the zone's thread is free again within half a second of CPU", async (skill, question, input) => {
  loadLibraries();
  const before = process.cpuUsage();
  const answer = await run(question, input);
  const { user, system } = process.cpuUsage(before);
  expect(answer.skill).toBe(skill);
  expect((user + system) / 1_000).toBeLessThan(500);
});
