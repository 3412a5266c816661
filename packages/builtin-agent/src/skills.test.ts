import type { Attachment } from "@crosszone/contracts";
import * as fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import type { RunContext } from "./skill.ts";
import { createBuiltinAgent } from "./builtin-agent.ts";
import { ask, NOON, run } from "./testing/ask-builtin.ts";

type ReadAttachment = RunContext["readFile"];

describe("arithmetic", () => {
  test.each([
    ["0.1 + 0.2", "`0.1 + 0.2` = **0.3**"],
    ["What is 12% of 340?", "`12% of 340` = **40.8**"],
    ["1,234.5 * 3", "= **3,703.5**"],
    ["12345 * 6789 =", "= **83,810,205**"],
    ["3 * (1/3)", "= **1**"],
    ["1/3", "≈ **0.333333333333**"],
    ["-2/3", "≈ **-0.666666666667**"],
    ["1 / 1,000,000,000,000", "= **0.000000000001**"],
    ["-1 / 9,000,000,000,000,000", "≈ **0**"],
    ["9.99999999999999999999 / 3 * 3", "≈ **10**"],
    ["10 - 2 - -(2 + 3 * 4 / 6)", "= **12**"],
    ["6 / -4", "= **-1.5**"],
    ["(5)% * 3", "= **0.15**"],
    ["Hello, what's 2+2?", "`2+2` = **4**"],
    ["and 3+3?", "`3+3` = **6**"],
  ])("%s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["2+2 in words?", "`2+2` in words = **four**"],
    ["What is 12% of 340, in words?", "`12% of 340` in words = **forty point eight**"],
    ["0 in words", "**zero**"],
    ["-12.5 in words", "**minus twelve point five**"],
    ["1,001,100,021 in words", "**one billion one million one hundred thousand twenty-one**"],
    ["999 * 1001 in words", "**nine hundred ninety-nine thousand nine hundred ninety-nine**"],
  ])("words: %s", async (question, answer) => {
    expect(await ask(question)).toContain(answer);
  });

  test.each([
    ["1/0", "Division by zero"],
    ["7 % 3", "can't read"],
    ["1 +", "can't read"],
    ["(1 + 2", "can't read"],
    ["1 + 2)", "can't read"],
    ["1,5 + 2", "can't read"],
    ["9 ** 9", "can't read"],
    ["1000000000000000 in words", "too long to write"],
  ])("gives the reason for a failure: %s", async (question, sentence) => {
    const { response_text, skill } = await run(question);
    expect(skill).toBe("arithmetic");
    expect(response_text).toContain(sentence);
  });

  test.each(["12", "2026-11-20 is a Friday", "a+b", "C++", "+49 30 1234567 is my number", "in words", "9^9^9^9"])(
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
        expect(Math.abs(value - a / b)).toBeLessThan(1e-12 + (a / b) * 1e-15);
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
  const photo = { id: "F2", name: "`*photo*`\n# 1.png", mime_type: "image/png", size: 1_234_567 };
  const answer = await ask("what did I attach", { attachments: [photo, { size: 999 }, csv] }, reading("a,b\n1,2"));
  const unread = "I did not read it. I read only text of up to 1 MB.";
  expect(answer).toBe(
    `**3 files arrived.**\n- \`'*photo*' # 1.png\`: ${unread}\n- \`unnamed\`: ${unread}\n- \`ages.csv\`: 2 lines, 2 words`,
  );
});

test.each<[why: string, attachment: Attachment, readFile: ReadAttachment]>([
  ["Slack has no contents of it.", csv, async () => Promise.reject(new Error("Slack has no contents of it."))],
  ["I read only text of up to 1 MB.", csv, async () => Uint8Array.of(0xff, 0xfe, 0x41)],
  ["I read only text of up to 1 MB.", csv, async () => new Uint8Array(1_000_001)],
  ["It was deleted.", { ...csv, unreadable: "It was deleted." }, reading("a,b")],
])("a file that can't be read is listed with the reason: %s", async (why, attachment, readFile) => {
  expect(await ask("files", { attachments: [attachment] }, readFile)).toBe(
    `**1 file arrived.**\n- \`ages.csv\`: I did not read it. ${why}`,
  );
});

test("only files that are described are fetched, and none that was sent as text", async () => {
  const readFile = vi.fn<ReadAttachment>(async (id) => bytes(`text of ${id}`));
  const attachments = [{ id: "F9", name: "x.txt", text: "hi" }, csv];
  expect(await ask("2+2", { attachments }, readFile)).toBe("`2+2` = **4**");
  expect(readFile).not.toHaveBeenCalled();
  expect(await ask("files", { attachments }, readFile)).toContain(
    "- `x.txt`: 1 line, 1 word\n- `ages.csv`: 1 line, 3 words",
  );
  expect(readFile.mock.calls.flat()).toEqual(["F1"]);
});

test("a reading that is aborted rejects with the signal's reason", async () => {
  const controller = new AbortController();
  const reason = new Error("canceled by the person");
  const input = { text: "files", thread: [], attachments: [csv] };
  const readFile = async (): Promise<never> => {
    controller.abort(reason);
    throw new Error("The connection ended.");
  };
  const running = createBuiltinAgent().run(input, { signal: controller.signal, now: () => NOON, readFile });
  await expect(running).rejects.toBe(reason);
});

test("W6: files of the thread are described only if the message asks about files and has none", async () => {
  const readFile = vi.fn<ReadAttachment>(async (id) => bytes(`text of ${id}`));
  const came = { thread: [{ text: "", files: [csv] }], attachments: [csv] };
  expect(await ask("files?", came, readFile)).toContain("`ages.csv`");
  expect((await run("what is this?", came, readFile)).skill).toBeUndefined();
  const own = { id: "F2", name: "own.txt" };
  expect(await ask("files", { ...came, attachments: [own, csv] }, readFile)).toContain("`own.txt`");
  expect(readFile.mock.calls.flat()).toEqual(["F1", "F2"]);
});

test("a message that no other skill handles is answered with the files", async () => {
  for (const text of ["what is in this picture?", ""])
    expect((await run(text, { attachments: [{ name: "a.png" }] })).skill).toBe("files");
  expect(await ask("what did I attach")).toBe("No file arrived with your message.");
  expect((await run("what is in the news?")).skill).toBeUndefined();
});

test.each([
  ["nested quotients", `${"(1.1/0.3333+".repeat(50)}1${")".repeat(50)}`, "≈ **166.016501650165**"],
  ["a sum of fractions", `${"1/7+".repeat(240)}3`, "≈ **37.285714285714**"],
  ["a product of fractions", `${"99999999/7777777*".repeat(58)}1`, "too large"],
  ["a product of percentages", `${"9%*".repeat(330)}1`, "≈ **0**"],
  ["a large product", `${"9*".repeat(499)}9`, "too large"],
  ["open parentheses", `${"(".repeat(997)}1+1`, "can't read"],
  ["deep parentheses", `${"(".repeat(498)}1+1${")".repeat(498)}`, "**2**"],
  ["many signs", `2*${"-".repeat(997)}1`, "**-2**"],
  ["more than a thousand characters", "1+".repeat(5_000), "too long"],
])("L3: %s: the zone's thread is free again within half a second of CPU", async (_what, question, answer) => {
  const before = process.threadCpuUsage();
  expect(await ask(question)).toContain(answer);
  const { user, system } = process.threadCpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(500);
});
