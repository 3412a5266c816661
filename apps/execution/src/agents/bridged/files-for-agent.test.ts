import { isAgentTask } from "@crosszone/contracts";
import { expect, test } from "vitest";
import { agentTaskOf } from "./bridged-agent.ts";
import { filesForAgent, mostFileBytes, notNamedBefore, sayLeftOut } from "./files-for-agent.ts";

const signal = new AbortController().signal;
const stored: Readonly<Record<string, Uint8Array>> = {
  F1: Buffer.from("a,b\n"),
  F2: Buffer.alloc(mostFileBytes),
  F3: Buffer.from("note"),
};

async function readFile(id: string): Promise<Uint8Array> {
  const bytes = stored[id];
  if (bytes === undefined) throw new Error("There is no such file.");
  return bytes;
}

const noId = "It came without an id, so it can't be fetched.";

test("I5, W12: readable files within the limit are sent with name, type and contents, others with their reason left out", async () => {
  const attachments = [
    { id: "F1", name: "a.csv", mime_type: "text/csv", size: 4 },
    { id: "F2", name: "too-large.bin", mime_type: "application/pdf" },
    { id: "F9", name: "unreadable.txt", mime_type: "text/plain", size: 1 },
    { name: "no-id.txt", mime_type: "text/plain", size: 1 },
    { id: "F3" },
    { name: "carried.txt", mime_type: "text/plain", text: "hi" },
    { id: "F3", name: "notes.gdoc", unreadable: "It is stored outside Slack, where I can't read it." },
  ];
  const { files, leftOut } = await filesForAgent(attachments, { readFile, signal });
  expect(leftOut).toEqual([
    { name: "too-large.bin", reason: "too large" },
    { name: "unreadable.txt", reason: "There is no such file." },
    { name: "no-id.txt", reason: noId },
    { name: "notes.gdoc", reason: "It is stored outside Slack, where I can't read it." },
  ]);
  expect(files).toEqual([
    { name: "a.csv", media_type: "text/csv", size: 4, bytes: "YSxiCg==" },
    { name: "file", media_type: "application/octet-stream", size: 4, bytes: "bm90ZQ==" },
    { name: "carried.txt", media_type: "text/plain", size: 2, bytes: "aGk=" },
  ]);
});

test("I5: a file whose declared size does not fit is not read", async () => {
  const asked: string[] = [];
  const attachments = [{ id: "F1", name: "a.csv", mime_type: "text/csv", size: mostFileBytes + 1 }];
  const record = async (id: string): Promise<Uint8Array> => {
    asked.push(id);
    return readFile(id);
  };
  expect(await filesForAgent(attachments, { readFile: record, signal })).toEqual({
    files: [],
    leftOut: [{ name: "a.csv", reason: "too large" }],
  });
  expect(asked).toEqual([]);
});

test("I5: a file that does not fit is sent as a link, unless it exceeds the zone's limit", async () => {
  const links = { maxBytes: 2_000_000, linkTo: async (id: string) => `https://zone.example.com/files/${id}` };
  const attachments = [
    { id: "F1", name: "a.csv", mime_type: "text/csv", size: 4 },
    { id: "F5", name: "large.pdf", mime_type: "application/pdf", size: 2_000_000 },
    { id: "F2", name: "not-said.bin" },
    { id: "F3", name: "note.txt", mime_type: "text/plain", size: 4 },
    { id: "F6", name: "too-large.pdf", mime_type: "application/pdf", size: 2_000_001 },
    { id: "F9", name: "unreadable.txt", mime_type: "text/plain" },
    { name: "no-id.txt", mime_type: "text/plain", size: 1_000_000 },
  ];
  const { files, leftOut } = await filesForAgent(attachments, { readFile, signal }, links);
  const type = "application/octet-stream";
  expect(files).toEqual([
    { name: "a.csv", media_type: "text/csv", size: 4, bytes: "YSxiCg==" },
    { name: "large.pdf", media_type: "application/pdf", size: 2_000_000, url: "https://zone.example.com/files/F5" },
    { name: "not-said.bin", media_type: type, size: mostFileBytes, url: "https://zone.example.com/files/F2" },
    { name: "note.txt", media_type: "text/plain", size: 4, bytes: "bm90ZQ==" },
  ]);
  expect(leftOut.map(({ name }) => name)).toEqual(["too-large.pdf", "unreadable.txt", "no-id.txt"]);
});

test("T5: canceling the task while its files are read rejects with the cancellation reason", async () => {
  const over = new AbortController();
  const read = async (): Promise<Uint8Array> => {
    over.abort(new Error("canceled"));
    throw new Error("The file could not be read.");
  };
  const attachments = [{ id: "F1", name: "a.csv", mime_type: "text/csv", size: 4 }];
  await expect(filesForAgent(attachments, { readFile: read, signal: over.signal })).rejects.toThrow("canceled");
});

const answer = { response_text: "Three pages.", awaits: "input" } as const;

test("I5: the answer ends with the files that the agent did not get, and why", () => {
  const leftOut = [
    { name: "report.pdf", reason: "too large" },
    { name: "<!channel>\n.txt", reason: "It was deleted." },
    { name: undefined, reason: noId },
  ] as const;
  expect(sayLeftOut(answer, "counter", { files: leftOut })).toEqual({
    response_text: `Three pages.\n\nNot sent to counter: report.pdf (too large), _!channel_.txt (It was deleted), a file (${noId.slice(0, -1)}).`,
    awaits: "input",
  });
});

const context = { now: () => new Date("2026-03-01T10:00:00Z"), deadline: new Date("2026-03-01T10:05:00Z") };
const input = { task_id: "t1", correlation_id: "c1", text: "hi", thread: [], attachments: [] };

test("a question becomes a task of the bus with the id of its run, without empty members", () => {
  const task = agentTaskOf("A", input, context);
  expect(isAgentTask(task)).toBe(true);
  expect(task).toEqual({
    run_id: "t1",
    task_id: "t1",
    agent_name: "A",
    input_data: { text: "hi" },
    correlation_id: "c1",
    timestamp: "2026-03-01T10:00:00.000Z",
    deadline: "2026-03-01T10:05:00.000Z",
  });
});

test("I9: an agent got the thread and file names as JSON: now only the thread, if it asks, without Slack ids", () => {
  const thread = [{ text: "before", user: "U1" }];
  const file = { id: "F1", url: "https://files.example.com/F1", name: "a.csv", mime_type: "text/csv", size: 3 };
  const asked = { ...input, thread, attachments: [file], user_id: "U1" };
  expect(agentTaskOf("A", asked, context).input_data).toStrictEqual({ text: "hi" });
  const offered = agentTaskOf("A", { ...asked, offered_by: "B" }, context);
  expect(offered.input_data).toStrictEqual({ text: "hi", offered_by: "B" });
  const { input_data } = agentTaskOf("A", asked, { ...context, sendsThread: true });
  expect(input_data).toEqual({ text: "hi", thread: [{ text: "before" }] });
});

test("W6: a file of the thread that is not sent is named once: not after the app has answered below it", () => {
  const thread = [
    { text: "", files: [{ id: "F1", name: "old.zip" }] },
    { text: "An answer.", bot: true },
    { text: "", files: [{ id: "F2", name: "new.zip" }] },
  ];
  const attachments = [{ id: "F3", name: "own.zip" }, ...thread.flatMap(({ files = [] }) => files)];
  const leftOut = attachments.map(({ name }) => ({ name, reason: "too large" }));
  expect(notNamedBefore(leftOut, { text: "", thread, attachments }).map(({ name }) => name)).toEqual([
    "own.zip",
    "new.zip",
  ]);
});
