import * as fc from "fast-check";
import { expect, test } from "vitest";
import { readFileInfo, readFiles, textOfVtt } from "./read-file.ts";

test("the conversations of a file are read from every member in which Slack lists them", () => {
  const shares = { public: { C2: [{ ts: "1" }] }, private: { G2: [] } };
  expect(readFileInfo({ mimetype: "text/csv", channels: ["C1"], groups: ["G1"], ims: ["D1"], shares })).toMatchObject({
    mime_type: "text/csv",
    shared_in: ["C1", "G1", "D1", "C2", "G2"],
  });
});

test.each([
  [{ mode: "external", mimetype: "text/csv" }, "external"],
  [{ is_external: true, mode: "hosted" }, "external"],
  [{ mode: "tombstone" }, "deleted"],
  [{ mode: "hidden_by_limit" }, "hidden"],
  [{ mode: "quip", mimetype: "application/vnd.slack-docs" }, "canvas"],
  [{ mode: "list" }, "list"],
  [{ mode: "hosted", mimetype: "text/csv" }, undefined],
  [{ mode: "snippet", mimetype: "text/plain" }, undefined],
  [{ mode: "constructor" }, undefined],
])("W12: a file %j can't be read because of: %s", (raw, refusal) => {
  const [file] = readFiles([{ id: "F1", ...raw }]);
  expect([file?.refusal, readFileInfo(raw).refusal]).toEqual([refusal, refusal]);
});

test("W12: a file of another organization is a stub until files.info describes it", () => {
  const stub = { id: "F1", created: 0, user: "", mode: "file_access", file_access: "check_file_info" };
  expect(readFiles([stub])).toEqual([{ id: "F1", is_stub: true }]);
});

const mail = {
  id: "F1",
  name: "Offer",
  mode: "email",
  mimetype: "text/html",
  size: 9_000,
  user: "U1",
  subject: "Our offer",
  from: [{ name: "Eve", address: "eve@example.com", original: "Eve <eve@example.com>" }],
  plain_text: "Ten chairs.",
};

test("W12: an e-mail is text of its sender; a long one is left to be read", () => {
  const text = "Subject: Our offer\nFrom: Eve <eve@example.com>\n\nTen chairs.";
  const read = {
    id: "F1",
    name: "Offer",
    mime_type: "text/plain",
    size: text.length,
    text,
    others: true,
    author: "Eve",
  };
  expect(readFiles([mail])).toEqual([read]);
  const plain_text = "x".repeat(5_000);
  expect(readFiles([{ ...mail, plain_text }])).toMatchObject([{ text: undefined, mime_type: "text/plain" }]);
  expect(readFileInfo({ ...mail, plain_text }).text).toContain(plain_text);
});

const clip = {
  id: "F1",
  name: "audio_message.m4a",
  mimetype: "audio/mp4",
  size: 9_000,
  user: "U1",
  subtype: "slack_audio",
};

test.each([
  ["complete", { content: "Order three chairs.", has_more: false }, "Order three chairs."],
  ["complete", { content: "Order three", has_more: true }, undefined],
  ["complete", undefined, undefined],
  ["processing", undefined, undefined],
])("W12: a clip whose transcription is %s (%j) is its transcript", (status, preview, text) => {
  const size = text?.length;
  const name = "audio_message.m4a (transcript)";
  const raw = { ...clip, transcription: { status, locale: "en-US", preview }, vtt: "https://files.slack.com/1.vtt" };
  expect(readFiles([raw])).toEqual([{ id: "F1", name, mime_type: "text/plain", size, text, user: "U1" }]);
  expect(readFileInfo(raw).transcript).toEqual({ isPending: status === "processing", url: raw.vtt });
});

test("W12: a clip without a transcript is a file of its own type", () => {
  for (const transcription of [undefined, { status: "failed" }, { status: "none" }])
    expect(readFiles([{ ...clip, transcription }])).toMatchObject([{ name: clip.name, mime_type: "audio/mp4" }]);
});

test("the words of a transcript are read without ids, times, notes and tags", () => {
  const vtt =
    "WEBVTT\r\n\r\nNOTE no words\r\n\r\nid\r\n00:01 --> 00:02 align:start\r\n<v.loud Bob Carter>Hi <i>all</i>,\r\nhi\r\n\r\n00:03 --> 00:04\r\n- 1 &lt; 2";
  expect(textOfVtt(vtt)).toBe("Bob Carter: Hi all, hi\n1 < 2");
});

test("any file object is read", () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), fc.jsonValue(), (transcription, from, shares) => {
      const raw = { id: transcription, transcription, from, shares, plain_text: from, mode: shares };
      expect(readFiles([raw, transcription])).toBeInstanceOf(Array);
      expect(readFileInfo(raw).shared_in).toEqual([]);
    }),
  );
});
