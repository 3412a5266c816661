import { describe, expect, it } from "vitest";
import type { Message } from "../../protocol/workspace.ts";
import { messageContent } from "../text/message-content.ts";
import { channelRows, threadRows, visibleTo, type Row } from "./rows.ts";
import { statusSentence } from "./status-line.ts";

const noon = Date.UTC(2026, 10, 20, 12) / 1000;
const style = { locale: "en-US", timeZone: "UTC", now: (noon + 3600) * 1000 };

function message(seconds: number, rest: Partial<Message> = {}): Message {
  return { channel: "C1", ts: `${noon + seconds}.000100`, user: "U1", text: "x", ...rest };
}

/** `day`, or a message as its offset in seconds, `+` when it continues the one before. */
function outline(rows: readonly Row[]): string[] {
  return rows.map((row) =>
    row.kind === "day" ? row.label : `${row.continued ? "+" : ""}${Math.round(Number(row.message.ts) - noon)}`,
  );
}

describe("grouping", () => {
  it("sets a name once for messages of one author within five minutes", () => {
    expect(outline(channelRows([message(0), message(60), message(400)], style))).toEqual(["Today", "0", "+60", "400"]);
  });

  it("starts anew for another author, for a bot, and for what only one sees", () => {
    const all = [
      message(0),
      message(1, { user: "U2" }),
      message(2, { user: "U2", bot_id: "B1" }),
      message(3, { user: "U2", bot_id: "B1", ephemeral_for: "U1" }),
    ];
    expect(outline(channelRows(all, style))).toEqual(["Today", "0", "1", "2", "3"]);
  });

  it("starts anew at midnight, with the name of the day", () => {
    expect(outline(channelRows([message(-43_201), message(-43_199)], style))).toEqual([
      "Yesterday",
      "-43201",
      "Today",
      "-43199",
    ]);
  });
});

describe("threads", () => {
  const root = message(0, { thread_ts: `${noon}.000100` });
  const reply = (seconds: number, user: string): Message => message(seconds, { user, thread_ts: root.ts });
  const all = [root, reply(1, "U2"), message(2), reply(3, "U3"), reply(4, "U2")];

  it("hide the replies from the channel and count them at the root", () => {
    const rows = channelRows(all, style);
    expect(outline(rows)).toEqual(["Today", "0", "+2"]);
    const replies = rows.map((row) => (row.kind === "message" ? row.replies : undefined));
    expect(replies[1]).toEqual({ count: 3, authors: ["U2", "U3"], lastTs: all[4]?.ts });
    expect(replies[2]).toBeUndefined();
  });

  it("show the root and its replies only", () => {
    expect(outline(threadRows(all, root.ts, style))).toEqual(["Today", "0", "1", "3", "4"]);
  });
});

it("shows a stream to its recipient only, until it ends", () => {
  const stream = { state: "in_progress", display: "timeline", recipient: "U1" } as const;
  const growing = message(1, { stream });
  expect(visibleTo("U1", [growing])).toEqual([growing]);
  expect(visibleTo("U2", [growing])).toEqual([]);
  const grown = [
    message(1, { stream: { ...stream, state: "completed" } }),
    message(2, { stream: { ...stream, state: "stopped" } }),
  ];
  expect(visibleTo("U2", grown)).toEqual(grown);
  const open = message(3, { stream: { state: "in_progress", display: "timeline" } });
  expect(visibleTo("U2", [open])).toEqual([open]);
});

it("shows an ephemeral message to its reader only, in the order of time", () => {
  const all = [message(2, { ephemeral_for: "U1" }), message(1)];
  expect(visibleTo("U1", all).map(({ ts }) => ts)).toEqual([all[1]?.ts, all[0]?.ts]);
  expect(visibleTo("U2", all)).toEqual([all[1]]);
});

describe("content", () => {
  const section = { type: "section", text: { type: "mrkdwn", text: "*a*" } };

  it("is the blocks when all are known", () => {
    const blocks = [
      section,
      { type: "divider" },
      { type: "markdown", text: "**b**" },
      { type: "context", elements: [{ type: "plain_text", text: "c" }] },
    ];
    expect(messageContent(message(0, { blocks }))).toEqual([
      { kind: "mrkdwn", text: "*a*" },
      { kind: "divider" },
      { kind: "markdown", text: "**b**" },
      { kind: "context", texts: ["c"] },
    ]);
  });

  it.each([[[section, { type: "video" }]], [[null]], [["x"]], [[{ type: "section" }]], [[]]])(
    "is the text for blocks %j",
    (blocks) => {
      expect(messageContent(message(0, { blocks }))).toEqual([{ kind: "mrkdwn", text: "x" }]);
    },
  );

  it("is Markdown before text, and nothing for a file without words", () => {
    expect(messageContent(message(0, { markdown_text: "# m" }))).toEqual([{ kind: "markdown", text: "# m" }]);
    expect(messageContent(message(0, { text: "" }))).toEqual([]);
  });
});

it.each([
  ["is thinking…", "Crosszone is thinking…"],
  ["processing", "Crosszone is working…"],
  ["active", ""],
  ["", ""],
  ["constructor", "Crosszone constructor"],
])("status %j reads %j", (status, sentence) => {
  expect(statusSentence("Crosszone", status)).toBe(sentence);
});
