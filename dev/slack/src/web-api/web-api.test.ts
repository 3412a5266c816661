import { describe, expect, test } from "vitest";
import { callWebApi, devSlackForTest, postAsApp, streamForTest } from "../testing/dev-slack-for-test.ts";
import { checkMessageBlocks } from "./message-limits.ts";
import { SlackError } from "./slack-error.ts";

type Blocks = Record<string, unknown>[];

const times = <T>(length: number, value: T): T[] => Array.from({ length }, () => value);

function refusalOf(blocks: Blocks): { code: string; errors: unknown } | undefined {
  try {
    checkMessageBlocks(blocks);
    return undefined;
  } catch (error) {
    if (!(error instanceof SlackError)) throw error;
    return { code: error.code, errors: error.members["errors"] };
  }
}

const text = (length: number, type = "mrkdwn"): object => ({ type, text: "x".repeat(length) });

describe("block rules", () => {
  test.each<[string, Blocks]>([
    ["a section at its limit", [{ type: "section", text: text(3000) }]],
    ["fifty blocks", times(50, { type: "divider" })],
    ["a markdown block at its limit", [{ type: "markdown", text: "x".repeat(12_000) }]],
    ["newer blocks without a look inside", [{ type: "task_card", task_id: "1", title: "t", status: "complete" }]],
    ["9,597 characters in 50 blocks", times(50, { type: "section", text: text(191) })],
  ])("taken: %s", (_name, blocks) => {
    expect(refusalOf(blocks)).toBeUndefined();
  });

  test.each<[string, Blocks, string]>([
    ["an unknown type", [{ type: "banner" }], 'unsupported type: "banner" [json-pointer:/blocks/0]'],
    [
      "a section over 3,000",
      [{ type: "section", text: text(3001) }],
      "must be less than 3001 characters [json-pointer:/blocks/0/text/text]",
    ],
    ["an empty section", [{ type: "section" }], "missing required field: text or fields [json-pointer:/blocks/0]"],
    [
      "a mrkdwn header",
      [{ type: "header", text: text(5) }],
      'unsupported type: "mrkdwn" [json-pointer:/blocks/0/text/type]',
    ],
    [
      "eleven context elements",
      [{ type: "context", elements: times(11, text(1)) }],
      "no more than 10 items allowed [json-pointer:/blocks/0/elements]",
    ],
    ["fifty-one blocks", times(51, { type: "divider" }), "no more than 50 items allowed [json-pointer:/blocks]"],
    [
      "one block_id twice",
      [
        { type: "divider", block_id: "a" },
        { type: "divider", block_id: "a" },
      ],
      "`block_id` already exists [json-pointer:/blocks/1/block_id]",
    ],
  ])("refused: %s", (_name, blocks, problem) => {
    expect(refusalOf(blocks)).toEqual({ code: "invalid_blocks", errors: [problem] });
  });

  test.each<[string, Blocks, string]>([
    ["45 sections", times(45, { type: "section", text: text(252) }), "msg_blocks_too_long"],
    ["14,000 characters of Markdown", times(2, markdown("x".repeat(7000))), "msg_blocks_too_long"],
    [
      "10,700 characters with 25 headings",
      [markdown(repeated(25, `# A\n\n${"x".repeat(421)}`))],
      "msg_blocks_too_long",
    ],
    ["Markdown over 12,000", [markdown("x".repeat(12_001))], "msg_too_long"],
  ])("too long: %s", (_name, blocks, code) => {
    expect(refusalOf(blocks)).toMatchObject({ code });
  });
});

const markdown = (content: string) => ({ type: "markdown", text: content });
const repeated = (count: number, content: string): string => times(count, content).join("\n\n");
const tableOf = (rows: number, columns: number, cell = "x"): string => {
  const row = (content: string): string => `|${times(columns, content).join("|")}|`;
  return [row(cell), row("---"), ...times(rows - 1, row(cell))].join("\n");
};
const nativeTable = (...cells: object[]) => ({ type: "table", rows: [cells] });
const raw = (content: string) => ({ type: "raw_text", text: content });
const section = (content: string) => ({ type: "rich_text_section", elements: [{ type: "text", text: content }] });
const rich = (content: string) => ({ type: "rich_text", elements: [section(content)] });

describe("Markdown counts as the blocks that Slack makes of it", () => {
  const items = (most: number, at: string): string => `no more than ${most} items allowed [json-pointer:${at}]`;
  const empty = (at: string): string => `must be more than 0 characters [json-pointer:/blocks/0/rows/0/0${at}]`;
  const tooMuch = "no more than 10000 characters allowed in tables [json-pointer:/blocks]";
  const fifty = items(50, "/blocks");
  const x186 = "x".repeat(186);
  test.each<[string, Blocks, string | undefined]>([
    ["51 headings", [markdown(repeated(51, "### a"))], fifty],
    ["51 headings of the other kind", [markdown(repeated(51, "a\n---"))], fifty],
    ["51 rules", [markdown(repeated(51, "---"))], fifty],
    ["51 tables", [markdown(repeated(51, tableOf(2, 2)))], fifty],
    ["51 code blocks", [markdown(repeated(51, "```\na\n```"))], fifty],
    ["26 headings with prose", [markdown(repeated(26, "# a\n\none\n\n- two\n\n> three"))], fifty],
    ["25 headings with prose", [markdown(repeated(25, "# a\n\none\n\n- two\n\n> three"))], undefined],
    ["49 rules and two blocks", [...times(2, { type: "divider" }), markdown(repeated(49, "---"))], fifty],
    ["48 rules and two blocks", [...times(2, { type: "divider" }), markdown(repeated(48, "---"))], undefined],
    ["headings in a list", [markdown(repeated(60, "- # a"))], undefined],
    ["headings in code", [markdown(`~~~\n${repeated(60, "# a")}\n~~~`)], undefined],
    ["a table at its limits", [markdown(tableOf(100, 20))], undefined],
    ["101 rows, after a block", [{ type: "divider" }, markdown(tableOf(101, 1))], items(100, "/blocks/1/rows")],
    ["21 columns", [markdown(tableOf(2, 21))], items(20, "/blocks/0/rows/0")],
    ["10,044 characters in two tables", [markdown(repeated(2, tableOf(9, 3, x186)))], tooMuch],
    ["an empty cell of a table block", [nativeTable(raw(""))], empty("/text")],
    ["an empty text in a cell", [nativeTable(rich(""))], empty("/elements/0/elements/0/text")],
  ])("%s", (_name, blocks, problem) => {
    expect(refusalOf(blocks)).toEqual(problem && { code: "invalid_blocks", errors: [problem] });
  });

  test("a second table block is an invalid attachment", () => {
    expect(refusalOf([nativeTable(raw("a")), markdown(tableOf(2, 2))])).toBeUndefined();
    expect(refusalOf(times(2, nativeTable(raw("a"))))).toMatchObject({ code: "invalid_attachments" });
  });

  test("for every call that takes Markdown", async () => {
    const dev = await devSlackForTest();
    const { started, append, stop, start } = streamForTest(dev);
    const markdown_text = repeated(51, "---");
    const ts = await postAsApp(dev, "C0GENERAL01", { text: "a" });
    const refused = { ok: false, error: "invalid_blocks", response_metadata: { messages: [`[ERROR] ${fifty}`] } };
    for (const method of ["chat.postMessage", "chat.update"])
      for (const content of [{ markdown_text }, { blocks: [markdown(markdown_text)] }])
        expect(await callWebApi(dev, method, { channel: "C0GENERAL01", ts, ...content })).toMatchObject(refused);
    const tooMany = { error: "msg_blocks_too_many" };
    expect(await start({ markdown_text })).toMatchObject(tooMany);
    const stream = await started({ markdown_text: repeated(49, "---") });
    expect(await append(stream, { markdown_text: "\n\na\n\n---" })).toMatchObject(tooMany);
    expect(await stop(stream, { blocks: times(2, { type: "divider" }) })).toMatchObject(tooMany);
    expect(await stop(stream, { blocks: [{ type: "divider" }] })).toMatchObject({ ok: true });
    const update = (next: string) => callWebApi(dev, "chat.update", { channel: "C0GENERAL01", ts, text: next });
    expect(await update("千".repeat(1334))).toMatchObject({ error: "msg_too_long" });
    expect(await update("千".repeat(1333))).toMatchObject({ ok: true });
  });
});

describe("file methods", () => {
  test("the bot sees a person's file only where it is a member, and needs files:read", async () => {
    const dev = await devSlackForTest();
    const share = (channel: string): { id: string; url: string } => {
      const files = [{ name: "notes.txt", mimetype: "text/plain", content: "aGk=", encoding: "base64" as const }];
      const [file] = dev.control.postMessage({ channel, text: "", files }).files ?? [];
      return { id: file?.id ?? "", url: file?.url_private_download ?? "" };
    };
    const here = share("general");
    const there = share("random");
    const headers = { authorization: `Bearer ${dev.botToken}` };
    const got = await fetch(here.url, { headers });
    expect([got.headers.get("content-type"), await got.text()]).toEqual(["text/plain; charset=utf-8", "hi"]);
    expect((await fetch(there.url, { headers })).headers.get("content-type")).toContain("text/html");
    expect(await callWebApi(dev, "files.info", { file: here.id })).toMatchObject({ file: { user: "U0ALICE0001" } });
    expect(await callWebApi(dev, "files.info", { file: there.id })).toMatchObject({ error: "file_not_found" });
    expect((await fetch(here.url.replace(here.id, "F0NOWHERE01"), { headers })).status).toBe(404);

    const poor = await devSlackForTest({ scopes: ["chat:write"] });
    const posted = poor.control.postMessage({
      channel: "dm",
      text: "",
      files: [{ name: "a.txt", mimetype: "text/plain", content: "a" }],
    });
    const page = await fetch(posted.files?.[0]?.url_private_download ?? "", {
      headers: { authorization: `Bearer ${poor.botToken}` },
    });
    expect(page.headers.get("content-type")).toContain("text/html");
  });

  test("a planned fault of downloads occurs as often as planned, and only for the bot", async () => {
    const dev = await devSlackForTest();
    const files = [{ name: "notes.txt", mimetype: "text/plain", content: "hello" }];
    const [file] = dev.control.postMessage({ channel: "general", text: "", files }).files ?? [];
    const url = file?.url_private_download ?? "";
    const headers = { authorization: `Bearer ${dev.botToken}` };
    const get = () => fetch(url, { headers, redirect: "manual" });

    dev.control.setFileFault({ kind: "redirect", times: 2 });
    expect((await fetch(url)).headers.get("content-type")).toContain("text/html");
    for (const status of [302, 302, 200]) expect((await get()).status).toBe(status);
    dev.control.setFileFault({ kind: "disguised_page" });
    const page = await get();
    expect([page.headers.get("content-type"), await page.text()]).toEqual([
      "text/plain; charset=utf-8",
      expect.stringContaining("<!DOCTYPE html>"),
    ]);
    dev.control.setFileFault({ kind: "other_type" });
    expect((await (await get()).bytes()).subarray(1, 4)).toEqual(new TextEncoder().encode("PNG"));
    dev.control.setFileFault({ kind: "long_length" });
    await expect(get().then((response) => response.text())).rejects.toThrow("terminated");
    dev.control.setFileFault({ kind: "huge" });
    const huge = await get();
    expect(huge.headers.get("content-length")).toBe("10000000000");
    await huge.body?.cancel();
    for (const kind of ["drip", "endless"] as const) {
      dev.control.setFileFault({ kind });
      const answer = await get();
      expect(answer.headers.get("content-length")).toBeNull();
      await answer.body?.cancel();
    }
  });
});
