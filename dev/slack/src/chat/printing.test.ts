import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../protocol/workspace.ts";
import { seedWorkspace } from "../workspace/seed-workspace.ts";
import { eventData } from "./control-client.ts";
import { createThreadPrinter, messageText } from "./printing.ts";

const workspace = seedWorkspace();
const message = (text: string, rest: Partial<Message> = {}): Message => ({
  channel: "D1",
  ts: "2.000001",
  user: "U0CROSSZONE",
  bot_id: "B0CROSSZONE",
  text,
  ...rest,
});
const working = (text: string): Message =>
  message(text, { metadata: { event_type: "crosszone_task", event_payload: { state: "working" } } });

/** What a printer writes for these messages. */
function printed(messages: Message[]): string[] {
  const written: string[] = [];
  const print = createThreadPrinter((text) => written.push(text), workspace);
  for (const one of messages) print(one);
  return written;
}

describe("the printer", () => {
  it("only appends, and nothing for a change that shows nothing new", () => {
    const liked = { ...message("Four"), unfurl_links: false };
    expect(printed([working("Working…"), message("Four"), liked])).toEqual([
      "Crosszone: Working…\n",
      "Crosszone: Four\n",
    ]);
  });
});

it("lets a message move neither the cursor nor the colors", () => {
  const text = messageText(message("a\u001B[2J\u001B]0;title\u0007b\r\u0008c\u009B31md\u007F\ne\tf\u001B"), workspace);
  expect(text).toBe("abcd\ne\tf");
});

it("writes Markdown as it is, and names for mentions and files", () => {
  const url = "http://127.0.0.1:3100/files-pri/T1-F1/download/a.csv";
  const file = { id: "F1", name: "a.csv", mimetype: "text/csv", size: 1200, url_private_download: url };
  expect(messageText(message("x", { markdown_text: "**b** <@U0BOB>" }), workspace)).toBe("**b** <@U0BOB>");
  expect(messageText(message("*hi* <@U0BOB000001> <https://a.example|here>", { files: [file] }), workspace)).toBe(
    "hi @Bob Carter here (https://a.example/)\n[file a.csv, 1.2 KB: http://127.0.0.1:3100/control/files/F1]",
  );
});

it("writes the labels of buttons and menus except thumbs, and the contents of sections, cards and folds", () => {
  const plain = (words: string): object => ({ type: "plain_text", text: words });
  const button = (words: string): object => ({ type: "button", action_id: words, text: plain(words) });
  const menu = { type: "users_select", action_id: "who", placeholder: plain("Choose a person") };
  const positive_button = { text: plain("Good"), value: "1" };
  const feedback = {
    type: "feedback_buttons",
    action_id: "f",
    positive_button,
    negative_button: { text: plain("Bad") },
  };
  const blocks = [
    {
      type: "section",
      text: { type: "mrkdwn", text: "*Deploy?*" },
      fields: [plain("Risk: low")],
      accessory: button("Why"),
    },
    { type: "container", title: plain("Changes"), child_blocks: [{ type: "section", text: plain("Faster") }] },
    { type: "rich_text", elements: [{ type: "rich_text_preformatted", elements: [{ type: "text", text: "{ }" }] }] },
    { type: "actions", elements: [button("Approve"), menu] },
    { type: "context_actions", elements: [feedback] },
  ];
  const text = "Deploy?\nRisk: low\n[Why]\nChanges\nFaster\n{ }\n[Approve] [Choose a person]";
  expect(messageText(message("x", { blocks }), workspace)).toBe(text);
  const rows = [[{ type: "raw_text", text: "Units" }], [{ type: "raw_number", value: 12 }]];
  expect(messageText(message("x", { blocks: [{ type: "data_table", rows }] }), workspace)).toBe("| Units |\n| 12 |");
  const withVideo = [{ type: "video" }, ...blocks.slice(3, 4)];
  expect(messageText(message("x", { blocks: withVideo }), workspace)).toBe("x\n[Approve] [Choose a person]");
});

it("reads server-sent events however the bytes are cut", async () => {
  const bytes = new TextEncoder().encode(
    ": hello\n\nid: 1\ndata: é1\n\r\ndata:two\r\ndata: lines\r\n\r\nevent: x\n\ndata: 3\n\ndata: cut",
  );
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(bytes.length), { maxLength: 20 }), async (cuts) => {
      const edges = [0, ...cuts.toSorted((a, b) => a - b), bytes.length];
      const chunks = edges.slice(1).map((edge, index) => bytes.subarray(edges[index], edge));
      expect(
        await Array.fromAsync(
          eventData(
            (async function* () {
              yield* chunks;
            })(),
          ),
        ),
      ).toEqual(["é1", "two\nlines", "3"]);
    }),
  );
});
