import { describe, expect, test } from "vitest";
import { callWebApi, devSlackForTest } from "../testing/dev-slack-for-test.ts";
import { checkBlocks } from "./block-rules.ts";
import { SlackError } from "./slack-error.ts";

type Blocks = Record<string, unknown>[];

const times = <T>(length: number, value: T): T[] => Array.from({ length }, () => value);

function refusalOf(blocks: Blocks): { code: string; errors: unknown } | undefined {
  try {
    checkBlocks(blocks);
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

  test("blocks that together hold too much text are too long", () => {
    const markdown = { type: "markdown", text: "x".repeat(7000) };
    expect(refusalOf([markdown, markdown])).toMatchObject({ code: "msg_blocks_too_long" });
    expect(refusalOf(times(45, { type: "section", text: text(252) }))).toMatchObject({
      code: "msg_blocks_too_long",
    });
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
