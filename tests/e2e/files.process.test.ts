// suite: rest
import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import type { FileFault } from "@crosszone/dev-slack";
import { type AgentWork, freePort, type SentFile, startAgent } from "@crosszone/testkit";
import { serve } from "@crosszone/testkit/temporary";
import { tune } from "@crosszone/testkit/tune";
import { expect, test } from "vitest";
import { withPolicy, writeAgentsFile } from "../harness/temp-file.ts";
import { startCrosszone } from "../harness/start-crosszone.ts";

const secret = "the-private-contents";
const csv = { name: "ages.csv", mimetype: "text/csv", content: "name,age\nAda,36\nAlan,41\n" };
const note = { name: "note.txt", mimetype: "text/plain", content: secret };
const figures = "- `ages.csv`: 3 lines, 3 words";

test.each([
  ["in a direct message", { channel: "dm", text: "what did I attach" }, figures],
  ["in a channel, with a mention", { channel: "general", text: "@Crosszone what did I attach" }, figures],
  ["without a word", { channel: "dm", text: "" }, figures],
])("an uploaded CSV is read %s", async (_where, post, expected) => {
  const zones = await startCrosszone();
  const root = zones.write({ ...post, files: [csv] });
  expect((await zones.answerTo(root)).markdown_text).toContain(expected);
  expect(zones.log.filter(({ event }) => event === "file_served")).toMatchObject([{ bytes: csv.content.length }]);
});

test("each question reads its own files, not those of an earlier message", async () => {
  const zones = await startCrosszone();
  const root = zones.write({ text: "what did I attach", files: [note] });
  await zones.answerTo(root);
  const later = zones.write({ text: "what did I attach", thread_ts: root.ts, files: [csv] });
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
  ["endless", "I did not read it."],
  ["drip", "Reading it from Slack took too long."],
])("a failed download (%s): the person reads why, and gets no part of the file", async (kind, sentence) => {
  const zones = await startCrosszone({ env: tune({ FILE_TIMEOUT_MS: 700 }, { MAX_FILE: "1MB" }) });
  zones.slack.control.setFileFault({ kind, times: 10 });
  const root = zones.write({ text: "what did I attach", files: [note] });
  const { markdown_text } = await zones.answerTo(root);
  expect(markdown_text).toContain("- `note.txt`: I did not read it. ");
  expect(markdown_text).toContain(sentence);
  expect(markdown_text).not.toMatch(/Sign in to your workspace|PNG|the-private/);
});

test("a file of a forbidden type is not fetched", async () => {
  const zones = await startCrosszone({ env: withPolicy({ file_types: ["image/png"] }) });
  const root = zones.write({ text: "what did I attach", files: [note] });
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
  const root = zones.write({ text: "what did I attach", files: [note] });
  expect((await zones.answerTo(root)).markdown_text).toContain("Slack refused access to it.");
});

const large = { name: "report.csv", mimetype: "text/csv", content: "0123456789abcde\n".repeat(125_000) };

/** Starts both zones and an agent named `counter`. */
async function startWithCounter(work: AgentWork, { links }: { readonly links: boolean }) {
  const agent = await startAgent(work);
  const executionPort = await freePort();
  const env = {
    EXECUTION_FILE: writeAgentsFile([{ name: "counter", url: agent.url, protocol: "jsonrpc-2.0" }]),
    AGENT_ORIGINS: agent.origin,
    ...(links && { EXECUTION_PUBLIC_URL: `http://127.0.0.1:${executionPort}` }),
  };
  return startCrosszone({ env, executionPort });
}

test("I5: an agent downloads a file of 2 MB by its link until its task ends, and no log contains the link", async () => {
  const sent: SentFile[] = [];
  const zones = await startWithCounter(
    async (_text, _method, files) => {
      sent.push(...files);
      const response = await fetch(files[0]?.uri ?? "");
      const bytes = await response.bytes();
      return `${response.status} ${response.headers.get("content-type")} ${bytes.length}`;
    },
    { links: true },
  );
  const { markdown_text } = await zones.answerTo(zones.write({ text: "ask counter: count", files: [large] }));
  expect(markdown_text).toContain("200 text/csv 2000000");
  expect(sent).toMatchObject([{ name: "report.csv", mimeType: "text/csv" }]);
  expect(sent[0]?.uri).toMatch(new RegExp(`^${zones.execution.url}/files/czf_[\\w-]{43}$`));
  expect((await fetch(sent[0]?.uri ?? "")).status).toBe(404);
  expect(JSON.stringify(zones.log)).not.toContain("czf_");
});

/** Starts an agent that answers each GET with one body, and each task with one artifact. Records the files that it gets. */
async function startMaker(
  get: (path: string | undefined, origin: string) => unknown,
  part: (origin: string) => object,
): Promise<{ readonly origin: string; readonly sent: SentPart[] }> {
  const sent: SentPart[] = [];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (request.method === "GET") {
      const body = get(request.url, origin);
      response.writeHead(body === undefined ? 404 : 200).end(body);
      return;
    }
    const { id, params } = (await json(request)) as { id: string; params: { message: { parts: SentPart[] } } };
    sent.push(...params.message.parts);
    const artifacts = [{ artifactId: "1", parts: [part(origin)] }];
    const result = { kind: "task", id: "1", status: { state: "completed" }, artifacts };
    response.end(JSON.stringify({ jsonrpc: "2.0", id, result }));
  };
  const origin = await serve(answer);
  return { origin, sent };
}

interface SentPart {
  readonly kind: string;
  readonly text?: string;
  readonly file?: { readonly name: string };
}

test("I5: a file that an agent links to at its own origin is uploaded to the thread", async () => {
  const { origin } = await startMaker(
    (path) => (path === "/made.csv" ? "a,b\n" : undefined),
    (own) => ({ kind: "file", file: { name: "made.csv", mimeType: "text/csv", uri: `${own}/made.csv` } }),
  );
  const EXECUTION_FILE = writeAgentsFile([{ name: "maker", url: `${origin}/`, protocol: "jsonrpc-2.0" }]);
  const zones = await startCrosszone({ env: { EXECUTION_FILE, AGENT_ORIGINS: origin } });
  const root = zones.write({ text: "ask maker: make a table" });
  expect((await zones.answerTo(root)).markdown_text).toContain("Here is a file.");
  const { files, thread_ts } = await zones.slack.control.waitForMessage((message) => message.files !== undefined);
  expect([files, thread_ts]).toMatchObject([[{ name: "made.csv", size: 4 }], root.ts]);
});

test("I5: files of a type that the agent's card does not accept are not sent, and the answer names them", async () => {
  const card = (url: string) => ({
    protocolVersion: "0.3.0",
    name: "maker",
    description: "Reads tables.",
    version: "1",
    url: `${url}/`,
    capabilities: {},
    defaultInputModes: ["text/plain", "text/csv"],
    defaultOutputModes: ["text/plain"],
    skills: [],
  });
  const { origin, sent } = await startMaker(
    (_path, own) => JSON.stringify(card(own)),
    () => ({ kind: "text", text: "Read." }),
  );
  const EXECUTION_FILE = writeAgentsFile([{ name: "maker", url: `${origin}/` }]);
  const zones = await startCrosszone({ env: { EXECUTION_FILE, AGENT_ORIGINS: origin } });
  const files = [
    { name: "rows.csv", mimetype: "text/csv", content: "a,b\n" },
    { name: "notes.pdf", mimetype: "application/pdf", content: "%PDF-1.4" },
  ];
  const { markdown_text } = await zones.answerTo(zones.write({ text: "ask maker: read this", files }));
  expect(markdown_text).toContain("Read.\n\nNot sent to maker: notes.pdf (of a type that it does not accept).");
  expect(sent.flatMap(({ file }) => file?.name ?? [])).toEqual(["rows.csv"]);
});

test("without EXECUTION_PUBLIC_URL, a large file is only described, and the answer says so", async () => {
  const zones = await startWithCounter(async (_text, _method, files) => `${files.length} files`, { links: false });
  const { markdown_text } = await zones.answerTo(zones.write({ text: "ask counter: count", files: [large] }));
  expect(markdown_text).toContain("0 files\n\nNot sent to counter: report.csv (too large).");
});

const contentOf = ({ bytes = "" }: SentFile): string => Buffer.from(bytes, "base64").toString();

/** Adds up the second column of the files, and names them. */
const sumUnits: AgentWork = (_text, _method, files) => {
  const rows = files.flatMap((file) => contentOf(file).trim().split("\n").slice(1));
  const units = rows.reduce((sum, row) => sum + Number(row.split(",")[1]), 0);
  return `${files.map(({ name }) => name).join(", ")}: ${units} units`;
};
const sales = { name: "sales.csv", mimetype: "text/csv", content: "region,units\nnorth,12\nsouth,30\n" };

test.each([
  ["of another person at the root of a thread", { channel: "general", user: "bob", text: "Here are the sales" }],
  ["of the requester's own question before", { channel: "dm", user: "alice", text: "ask counter: keep it" }],
])("W6: a question about the file above got no file: now the agent reads the file %s", async (_whose, post) => {
  const zones = await startWithCounter(sumUnits, { links: false });
  const root = zones.write({ ...post, files: [sales] });
  if (post.channel === "dm") await zones.answerTo(root);
  const { channel } = post;
  const asked = { channel, user: "alice", thread_ts: root.ts };
  const question = zones.write({ ...asked, text: "@Crosszone ask counter: sum the units in the file above" });
  expect((await zones.answerTo(question)).markdown_text).toContain("sales.csv: 42 units");
  const own = zones.write({
    ...asked,
    text: "@Crosszone ask counter: and these",
    files: [{ ...sales, name: "own.csv" }],
  });
  expect((await zones.answerTo(own)).markdown_text).toContain("own.csv, sales.csv: 84 units");
});

test("W6: the file of a forwarded message is read like one of the question", async () => {
  const zones = await startWithCounter(sumUnits, { links: false });
  const { channel, ts } = zones.write({ channel: "random", user: "bob", text: "Here are the sales", files: [sales] });
  const question = zones.write({ channel: "dm", user: "alice", text: "ask counter: sum", forward: { channel, ts } });
  expect((await zones.answerTo(question)).markdown_text).toContain("sales.csv: 42 units");
});

const spoken = `Order three chairs & a table. ${"They are for the large room. ".repeat(9)}`.trim();

test.each([
  ["a voice clip", { name: "clip.m4a", mimetype: "audio/mp4", kind: "voice", plain_text: "Hi." }, "text/plain|Hi."],
  [
    "a long one",
    { name: "clip.m4a", mimetype: "audio/mp4", kind: "voice", plain_text: spoken },
    `text/plain|${spoken}`,
  ],
  [
    "an e-mail",
    { name: "Offer", mimetype: "text/html", kind: "email", plain_text: "Ten chairs." },
    "Subject: Offer\nFrom: Alice Berger <alice@example.com>\n\nTen chairs.",
  ],
  ["a file of another organization", { ...sales, kind: "connect" }, `text/csv|${sales.content.trim()}`],
  ["a canvas", { name: "Plan", mimetype: "text/html", kind: "canvas" }, "Plan (It is a canvas, which I can't read)"],
  [
    "an external file, which is never fetched",
    { name: "notes.gdoc", mimetype: "text/plain", external_url: "https://slack.com/api/api.test" },
    "notes.gdoc (It is stored outside Slack, where I can't read it)",
  ],
] as const)(
  "W12: %s was “unreadable”: now the agent gets its text, or the person its reason",
  async (_what, file, said) => {
    const tell: AgentWork = (_text, _method, files) =>
      files.map((one) => `${one.mimeType}|${contentOf(one)}`).join() || "-";
    const zones = await startWithCounter(tell, { links: false });
    const root = zones.write({ text: "ask counter: read it", files: [{ content: "\0", ...file }] });
    expect((await zones.answerTo(root)).markdown_text).toContain(said);
  },
);
