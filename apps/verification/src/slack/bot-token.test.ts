import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createBotToken, type BotToken } from "./bot-token.ts";

function tokenInFile(): { token: BotToken; write: (text: string) => void; remarks: string[] } {
  const folder = mkdtempSync(join(tmpdir(), "crosszone-token-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, "token");
  const remarks: string[] = [];
  const token = createBotToken({
    token: "xoxb-first",
    path,
    onRenewed: () => remarks.push("renewed"),
    onNotRenewed: (why) => remarks.push(why),
  });
  return { token, write: (text) => writeFileSync(path, text), remarks };
}

test("S15: a replaced token is read from its file", () => {
  const { token, write, remarks } = tokenInFile();
  write("xoxb-second\n");
  expect(token.current()).toBe("xoxb-first");
  expect(token.renew("xoxb-first")).toBe(true);
  expect(token.current()).toBe("xoxb-second");
  expect(token.renew("xoxb-first")).toBe(true);
  expect(remarks).toEqual(["renewed"]);
});

test("S15: a file without a different bot token changes nothing, and its contents are not reported", () => {
  const { token, write, remarks } = tokenInFile();
  expect(token.renew("xoxb-first")).toBe(false);
  for (const text of ["xoxb-first", "xoxp-a-persons-token", ""]) {
    write(text);
    expect(token.renew("xoxb-first")).toBe(false);
  }
  expect(token.current()).toBe("xoxb-first");
  expect(remarks).toEqual([
    "the file cannot be read (ENOENT)",
    "the file still contains the refused token",
    "the file contains no bot token",
    "the file contains no bot token",
  ]);
});

test("a token that did not come from a file can't be renewed", () => {
  const remarks: string[] = [];
  const token = createBotToken({
    token: "xoxb-first",
    onRenewed: () => expect.unreachable(),
    onNotRenewed: (why) => remarks.push(why),
  });
  expect(token.renew("xoxb-first")).toBe(false);
  expect(remarks).toEqual(["it was not read from a file"]);
});
