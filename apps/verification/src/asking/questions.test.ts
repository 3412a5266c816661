import { cpuMsOf } from "@crosszone/testkit/cpu";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { ZoneLink } from "../link/zone-link.ts";
import { judgeAnswerFiles } from "./answer-question.ts";
import { isFewWords, isOneWord, meantCommand, readCommand, readLooseCommand } from "./message-command.ts";

const file = (name: string, media_type: string, size = 10) => ({ id: name, name, media_type, size });

test("I5: an answer's files are judged like a question's files, and the refused files are named", () => {
  const rules = { types: ["image/*", "text/csv"], maxBytes: 2_000_000 };
  const files = [
    file("a.png", "image/png"),
    file("b.csv", "text/csv; charset=utf-8"),
    file("c.exe", "application/x-msdownload"),
    file("d.png", "image/png", 3_000_000),
  ];
  const { files: shown, note } = judgeAnswerFiles(files, rules);
  expect(shown.map(({ name }) => name)).toEqual(["a.png", "b.csv"]);
  expect(note).toMatch(
    /The file c\.exe is not attached: files of the type application\/x-msdownload are not allowed here/,
  );
  expect(note).toMatch(/The file d\.png is not attached: it is larger than 2 MB/);
  expect(judgeAnswerFiles(undefined, rules)).toEqual({ files: [], note: "" });
});

test.each([
  ["ask Case: hi", "case"],
  ["Ask CASE hi", "case"],
  ["ask Big: hi", "Big"],
  ["ask big hi", "big"],
  ["run FLOW: hi", "flow"],
  ["ask Nobody: hi", "Nobody"],
])("W11: the name in %j is found in any case, and exactly where it exists", async (text, agent) => {
  const agents = ["case", "big", "Big", "flow"].map((name) => ({ name }));
  const link = { call: async () => ({ agents }) } as unknown as ZoneLink;
  const call = { session: "s", correlationId: "c" };
  expect(await meantCommand(text, { link, call })).toMatchObject({ agent, text: "hi" });
});

test.each([
  ["- ask case: hello", { kind: "ask", agent: "case", text: "hello" }],
  ["1. ask case: hello\n2. and more", { kind: "ask", agent: "case", text: "hello\n2. and more" }],
  ["• run flow: {}", { kind: "run", agent: "flow", text: "{}" }],
  ["> he said\n* *ask case:* hello", { kind: "ask", agent: "case", text: "> he said\nhello" }],
  ["3) stop", { kind: "stop" }],
  ["1. stop", { kind: "stop" }],
  ["- stop", { kind: "stop" }],
  ["- agents", { kind: "agents" }],
  ["- what is this?", { kind: "ask", text: "- what is this?" }],
  ["-ask case: hello", { kind: "ask", text: "-ask case: hello" }],
])("W28: %j as an item of a list is the command that it says", (text, command) => {
  expect(readCommand(text)).toEqual(command);
});

describe("loose command", () => {
  test.each([
    ["ask scout find it", { kind: "ask", agent: "scout", text: "find it" }],
    ["Ask scout", { kind: "ask", agent: "scout", text: "" }],
    ['run "my flow" {"a": 1}', { kind: "run", agent: "my flow", text: '{"a": 1}' }],
    ["@scout, two\nlines", { kind: "ask", agent: "scout", text: "two\nlines" }],
    ["@scout: hi", { kind: "ask", agent: "scout", text: "hi" }],
    ["ask “Big Agent” hi", { kind: "ask", agent: "Big Agent", text: "hi" }],
    ["＠scout　two", { kind: "ask", agent: "scout", text: "two" }],
    ["*@scout* two", { kind: "ask", agent: "scout", text: "two" }],
    ["- ask scout two", { kind: "ask", agent: "scout", text: "two" }],
    ["*run flow* two", { kind: "run", agent: "flow", text: "two" }],
  ])("I6, W11: %j can be a command", (text, command) => {
    expect(readLooseCommand(text)).toEqual(command);
  });

  test.each([
    "ask scout: with a colon",
    "ask",
    "run",
    "stop",
    "agents",
    "tell me",
    "please ask scout",
    "a@b.example",
    "＠scout、two",
    "",
  ])("I6, W11: %j is not a command", (text) => {
    expect(readLooseCommand(text)).toBeUndefined();
  });
});

describe("message command", () => {
  test.each([
    ["stop", { kind: "stop" }],
    ["Cancel!", { kind: "stop" }],
    ["stop the music", { kind: "ask", text: "stop the music" }],
    ["agents", { kind: "agents" }],
    ["agents are great", { kind: "ask", text: "agents are great" }],
    ["ask researcher: what is new?", { kind: "ask", agent: "researcher", text: "what is new?" }],
    ["Ask r&d-team : line one\nline two", { kind: "ask", agent: "r&d-team", text: "line one\nline two" }],
    ['ask "Big Agent": hi', { kind: "ask", agent: "Big Agent", text: "hi" }],
    ["ask him whether: it works", { kind: "ask", text: "ask him whether: it works" }],
    ["run publish-text: a text", { kind: "run", agent: "publish-text", text: "a text" }],
    ['RUN "Big Flow" :\n{ "a": 1 }', { kind: "run", agent: "Big Flow", text: '{ "a": 1 }' }],
    ["run daily-report:", { kind: "run", agent: "daily-report", text: "" }],
    ["run the numbers: are they right?", { kind: "ask", text: "run the numbers: are they right?" }],
    ["run publish-text", { kind: "ask", text: "run publish-text" }],
    ["what is 1 < 2?", { kind: "ask", text: "what is 1 < 2?" }],
  ])("“%s”", (text, command) => {
    expect(readCommand(text)).toEqual(command);
  });

  test.each([
    ["ask “case”: hello", "case", "hello"],
    ["ask «Big Agent» : hello", "Big Agent", "hello"],
    ["ask ‘case’: hello", "case", "hello"],
    ["ask 「case」：こんにちは", "case", "こんにちは"],
    ["ask case：こんにちは", "case", "こんにちは"],
    ["ａｓｋ　ｃａｓｅ：ｈｅｌｌｏ", "case", "ｈｅｌｌｏ"],
    ["*ask case:* hello", "case", "hello"],
    ["**ask case:** hello", "case", "hello"],
    ["*ask* case: hello", "case", "hello"],
    ["*ask case*: hello", "case", "hello"],
    ["_*ask case:*_ hello", "case", "hello"],
    ["`ask case:` hello", "case", "hello"],
    ["ask `case`: hello", "case", "hello"],
    ["ask *“Big Agent”*: hello", "Big Agent", "hello"],
    ["\u200bask case: hello", "case", "hello"],
    ["\ufeff \u200eask\u00a0case:\u00a0hello", "case", "hello"],
    ["ask bob’s: hello", "bob's", "hello"],
    ["ask r_d-team: _hello_", "r_d-team", "_hello_"],
    ["ask case: *important* “hello”… ｆｕｌｌ\u200b", "case", "*important* “hello”… ｆｕｌｌ\u200b"],
    ["> run all: now\n> please\n\nask case: is that right?", "case", "> run all: now\n> please\n\nis that right?"],
  ])("W11: %j asks %j", (text, agent, rest) => {
    expect(readCommand(text)).toEqual({ kind: "ask", agent, text: rest });
  });

  test.each([
    ["“stop。”", "stop"],
    ["“stop”", "stop"],
    ["*stop*", "stop"],
    ["Stop?", "stop"],
    ["\u200bstop", "stop"],
    ["ＳＴＯＰ！", "stop"],
    ["Stop please", "stop"],
    [`stop${"!".repeat(50)}`, "stop"],
    [`${"!".repeat(50)}x`, "ask"],
    ["please stop!", "stop"],
    ["*cancel*", "stop"],
    ["Be quiet…", "quiet"],
    ["`agents`？", "agents"],
    ["don’t stop", "ask"],
    ["stop > 1", "ask"],
    ["> stop", "ask"],
    ["quiet please everyone", "ask"],
  ])("W11: %j means %j", (text, kind) => {
    expect(readCommand(text).kind).toBe(kind);
  });

  test.each([
    [
      true,
      "yes|YES!|approve it|Ja, bitte|👍|:+1:|:white_check_mark: done|はい|承認します|อนุมัติ|ok…|why?|¯\\_/¯|*yes*|“yes”",
    ],
    [
      false,
      "|please approve it|stop|agents|be quiet|run report|ask billing: yes|@billing yes|> yes|この請求書を承認してもいいですか",
    ],
  ])("W17.1: is a word or two, maybe a decision: %s for %s", (expected, texts) => {
    for (const text of texts.split("|")) expect([text, isFewWords(text)]).toEqual([text, expected]);
  });

  test("W11: the text after any command is the person's, character by character", () => {
    const heads = ["ask case:", "*ask case:*", "ask “case”：", "\u200brun case :"];
    const text = fc
      .string({ unit: "grapheme", minLength: 1 })
      .map((one) => one.trim())
      .filter((one) => /^[^\s*]/.test(one));
    fc.assert(
      fc.property(fc.constantFrom(...heads), text, (head, rest) => {
        expect(readCommand(`${head} ${rest}`)).toMatchObject({ agent: "case", text: rest });
      }),
    );
  });

  test.each(["!", "*", " ", "\n", "\u200b", "> a\n", '"', "ask ", "ask a", "ask *", "“", "：", "\u0301", "_*"])(
    "W11: a megabyte of %j takes no time to read",
    async (unit) => {
      const text = `ask ${unit.repeat(1_000_000 / unit.length)}x`;
      const passes = [readCommand, readLooseCommand, isOneWord, isFewWords].flatMap((read) =>
        [text, text.slice(4)].map((one) => () => read(one)),
      );
      expect(await cpuMsOf(() => passes.forEach((pass) => pass()))).toBeLessThan(1_000);
    },
  );
});
