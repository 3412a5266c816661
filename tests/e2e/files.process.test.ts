import type { FileFault } from "@crosszone/dev-slack";
import { noFiles } from "@crosszone/execution";
import { expect, test } from "vitest";
import { startCrosszone } from "../harness/start-crosszone.ts";
import { withPolicy } from "../harness/temp-file.ts";
import { tune } from "@crosszone/testkit/tune";

const secret = "the-private-contents";
const csv = { name: "ages.csv", mimetype: "text/csv", content: "name,age\nAda,36\nAlan,41\n" };
const note = { name: "note.txt", mimetype: "text/plain", content: secret };
const figures = "| Words | 6 |";

test.each([
  ["in a direct message", { channel: "dm", text: "text statistics" }, figures],
  ["in a channel, with a mention", { channel: "general", text: "@Crosszone text statistics" }, figures],
  ["without a word", { channel: "dm", text: "" }, "| ages.csv | text/csv | 24 bytes | read |"],
])("an uploaded CSV is read %s", async (_where, post, expected) => {
  const zones = await startCrosszone();
  const root = zones.write({ ...post, files: [csv] });
  expect((await zones.answerTo(root)).markdown_text).toContain(expected);
  expect(zones.log.filter(({ event }) => event === "file_served")).toMatchObject([{ bytes: csv.content.length }]);
});

test("each question reads its own files, not those of an earlier message", async () => {
  const zones = await startCrosszone();
  const root = zones.write({ text: "text statistics", files: [note] });
  await zones.answerTo(root);
  const later = zones.write({ text: "text statistics", thread_ts: root.ts, files: [csv] });
  const { markdown_text } = await zones.answerTo(later);
  expect(markdown_text).toContain(figures);
  expect(zones.log.filter(({ event }) => event === "file_served")).toHaveLength(2);
});

test.each<[FileFault["kind"], string]>([
  ["redirect", "Slack redirected me to an address that is not allowed."],
  ["sign_in_page", "Slack asked me to sign in."],
  ["disguised_page", "Slack asked me to sign in."],
  ["other_type", "Its contents do not match its type."],
  ["long_length", "Slack did not return it."],
  ["huge", "It is larger than the limit for files here."],
  ["endless", "I did not read 1 file"],
  ["drip", "Reading it from Slack took too long."],
])("a failed download (%s): the person reads why, and gets no part of the file", async (kind, sentence) => {
  const zones = await startCrosszone({ env: tune({ FILE_TIMEOUT_MS: 700 }, { MAX_FILE: "1MB" }) });
  zones.slack.control.setFileFault({ kind, times: 10 });
  const root = zones.write({ text: "word count", files: [note] });
  const { markdown_text } = await zones.answerTo(root);
  expect(markdown_text).toContain("I did not read 1 file (`note.txt`).");
  expect(markdown_text).toContain(sentence);
  expect(markdown_text).not.toMatch(/Sign in to your workspace|PNG|the-private/);
});

test("of a file that is longer than its declared length, only that length is read", async () => {
  const zones = await startCrosszone();
  zones.slack.control.setFileFault({ kind: "short_length" });
  const { markdown_text } = await zones.answerTo(zones.write({ text: "word count", files: [note] }));
  expect(markdown_text).not.toContain("private");
  const next = await zones.answerTo(zones.write({ text: "text statistics", files: [csv] }));
  expect(next.markdown_text).toContain(figures);
});

test("a remote file is never fetched: the token is sent to Slack's file host only", async () => {
  const zones = await startCrosszone();
  const external_url = "https://slack.com/api/api.test";
  const root = zones.write({ text: "word count", files: [{ ...note, external_url }] });
  expect((await zones.answerTo(root)).markdown_text).toContain("It is stored outside Slack, where I can't read it.");
});

test("a file of a forbidden type is not fetched", async () => {
  const zones = await startCrosszone({ env: withPolicy({ file_types: ["image/png"] }) });
  const root = zones.write({ text: "word count", files: [note] });
  expect((await zones.answerTo(root)).markdown_text).toContain("Files of this type are not allowed here.");
});

test("an app without files:read says so instead of guessing", async () => {
  const scopes = [
    "app_mentions:read",
    "assistant:write",
    "chat:write",
    "im:history",
    "im:read",
    "team:read",
    "users:read",
  ];
  const zones = await startCrosszone({ slack: { scopes } });
  const root = zones.write({ text: "word count", files: [note] });
  expect((await zones.answerTo(root)).markdown_text).toContain("Slack refused access to it.");
});

test("an execution zone without verification's URL says what the operator must set", async () => {
  const zones = await startCrosszone({ execution: () => ({ grantFiles: noFiles }) });
  const root = zones.write({ text: "2+2", files: [note] });
  const { markdown_text } = await zones.answerTo(root);
  expect(markdown_text).toContain("**4**");
  expect(markdown_text).toContain("set `VERIFICATION_URL` for the execution zone");
});
