import { createInterface } from "node:readline";
import { PassThrough } from "node:stream";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Message } from "../protocol/workspace.ts";
import { seedWorkspace } from "../workspace/seed-workspace.ts";
import type { Chat } from "./chat.ts";
import { eventData, RefusedError } from "./control-client.ts";
import { converse } from "./chat.ts";
import { messageText } from "./message-text.ts";
import { createThreadPrinter } from "./thread-printer.ts";

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
function printed(columns: number | undefined, messages: Message[], rows = 24): string[] {
  const written: string[] = [];
  const printer = createThreadPrinter(
    { write: (text) => written.push(text), screen: columns === undefined ? undefined : { columns, rows } },
    workspace,
  );
  for (const one of messages) printer.show(one);
  printer.clear();
  return written;
}

describe("the printer", () => {
  it("prints a stream once that ends as a placeholder and then becomes the answer", () => {
    const stream = { display: "timeline" } as const;
    const grows = (text: string, state: "in_progress" | "completed"): Message => ({
      ...(state === "completed" ? working(text) : message(text)),
      stream: { ...stream, state },
    });
    const all = [grows("Fo", "in_progress"), grows("Four", "completed"), message("Four.")];
    expect(printed(undefined, all).join("")).toBe("Crosszone: Four.\n");
    expect(printed(80, all).join("")).toBe("Crosszone: Four.\n");
  });

  it("rewrites the placeholder in place on a terminal", () => {
    expect(printed(80, [working("Working…"), working("Still working…"), message("Four\nor 4")])).toEqual([
      "Crosszone: Working…",
      "\r\u001B[2K",
      "Crosszone: Still working…",
      "\r\u001B[2K",
      "Crosszone: Four\n  or 4\n",
    ]);
  });

  it("only appends elsewhere, and nothing for a change that shows nothing new", () => {
    const liked = { ...message("Four"), reactions: [{ name: "+1", users: ["U1"] }] };
    expect(printed(undefined, [working("Working…"), message("Four"), liked])).toEqual([
      "Crosszone: Working…\n",
      "Crosszone: Four\n",
    ]);
  });

  it("keeps the lines of a placeholder as long as the terminal is wide, and no more of them than it is high", () => {
    expect(printed(16, [working("考えています…")])[0]).toBe("Crosszone: 考え");
    expect(printed(80, [working("a\nb")])[0]).toBe("Crosszone: a\n  b");
    expect(printed(80, [working("a\nb\nc")], 3)[0]).toBe("Crosszone: a\n  b");
  });

  const steps = (...lines: string[]): Message => working(["Working…", "", ...lines].join("\n"));
  const run = [working("Working…"), steps("◐ One", "○ Two"), steps("✓ One", "◐ Two"), message("Done")];

  it("rewrites the steps of a placeholder in place on a terminal", () => {
    const up = "\u001B[1A\u001B[2K";
    expect(printed(80, run)).toEqual([
      "Crosszone: Working…",
      "\r\u001B[2K",
      "Crosszone: Working…\n\n  ◐ One\n  ○ Two",
      `\r\u001B[2K${up.repeat(3)}`,
      "Crosszone: Working…\n\n  ✓ One\n  ◐ Two",
      `\r\u001B[2K${up.repeat(3)}`,
      "Crosszone: Done\n",
    ]);
  });

  it("appends elsewhere only the steps that have changed", () => {
    expect(printed(undefined, run).join("")).toBe(
      "Crosszone: Working…\n  ◐ One\n  ○ Two\n  ✓ One\n  ◐ Two\nCrosszone: Done\n",
    );
  });
});

describe("a stream", () => {
  type Block = Record<string, unknown>;
  const stream = { state: "in_progress", display: "timeline" } as const;
  const done = { ...stream, state: "completed" } as const;
  const task = (title: string, status: string, output = ""): Block => ({
    type: "task_card",
    title,
    status,
    ...(output && { output: { type: "rich_text", elements: [{ text: output }] } }),
  });
  const streamed = (text: string, tasks: Block[] = [], rest: Partial<Message> = { stream }): Message =>
    message(text, { markdown_text: text, blocks: [...tasks, { type: "markdown", text }], ...rest });
  const run = [
    streamed("", [task("Read", "in_progress")]),
    streamed("One", [task("Read", "in_progress")]),
    streamed("One two", [task("Read", "complete", "3\nlines")]),
    streamed("One two\nthree", [task("Read", "complete", "3\nlines")]),
    streamed("One two\nthree.", [task("Read", "complete", "3\nlines")], { stream: done }),
  ];

  it("grows on a terminal, with a line for each change of a task", () => {
    expect(printed(80, run)).toEqual([
      "Crosszone: ◐ Read\n",
      "  One",
      "\n  ✓ Read: 3 lines\n   two",
      "\n  three",
      ".",
      "\n",
    ]);
  });

  it("is printed once elsewhere, when it has ended", () => {
    expect(printed(undefined, run)).toEqual(["Crosszone: ✓ Read: 3 lines\n  One two\n  three.\n"]);
    const plan = { type: "plan", title: "Answer", tasks: [task("Read", "error")] };
    expect(printed(undefined, [streamed("One", [plan], { stream: done })])).toEqual([
      "Crosszone: One\n  Answer\n  ✗ Read\n",
    ]);
  });

  it("is printed as a whole when it no longer begins with what was written, and takes a placeholder away", () => {
    const whole = streamed("Another", [], { stream: done });
    expect(printed(80, [streamed("One"), whole])).toEqual(["Crosszone: One", "\n", "Crosszone: Another\n"]);
    const other = { ...streamed("Two"), ts: "2.000002" };
    expect(printed(80, [working("Working…"), streamed("One"), other])).toEqual([
      "Crosszone: Working…",
      "\r\u001B[2K",
      "Crosszone: One",
      "\n",
      "Crosszone: Two",
      "\n",
    ]);
  });

  it("moves neither the cursor nor the colors", () => {
    const piece = printed(80, [streamed("a\u001B[2J", [task("b\u001B[31m\u0007", "pending")])]).join("");
    expect(piece).toBe("Crosszone: ○ b\n  a\n");
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

it("talks line by line, goes on after a refusal, and ends with the input", async () => {
  const said: string[] = [];
  const refusals: string[] = [];
  const chat: Chat = {
    stop: () => false,
    say: (text) => {
      said.push(text);
      return text === "no"
        ? Promise.reject(new RefusedError("not here"))
        : Promise.resolve({ state: "done", question: message(text), answers: [] });
    },
  };
  const input = new PassThrough();
  const lines = createInterface({ input, output: new PassThrough(), prompt: "> " });
  const talk = converse(chat, lines, { write: (text) => refusals.push(text) });
  input.end("one\n\nno\ntwo\n");
  await talk;
  expect(said).toEqual(["one", "no", "two"]);
  expect(refusals).toEqual(["not here\n"]);
});
