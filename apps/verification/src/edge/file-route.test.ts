import type { ServerResponse } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { serve } from "@crosszone/testkit/temporary";
import { expect, test, vi } from "vitest";
import { createTaskFileRoute, type FileEnd } from "./file-route.ts";
import { createSlackFileHost } from "../slack/files/open-file.ts";
import { readFileInfo } from "../slack/files/read-file.ts";
import { createHandles } from "../link/handles.ts";
import type { SlackFileInfo } from "../slack/slack-api.ts";
import { createFakeSlack } from "../testing/fake-slack.ts";
import type { Limits } from "../limits.ts";
import { closedPolicy } from "../testing/start-test-app.ts";
import { wideLimits } from "../testing/wide-limits.ts";
import { openTestDatabase } from "../testing/test-inbox.ts";
import type { FileRefusal } from "../slack/file-refusals.ts";

const botToken = "xoxb-1-2-the-real-token";

type FileZone = Awaited<ReturnType<typeof startFileZone>>;

/** Starts the file route on a real server, connected to a scripted file host; only the Web API is faked. */
async function startFileZone(limits: Partial<Limits> = {}) {
  const slack = createFakeSlack();
  const asked: string[] = [];
  const ends: FileEnd[] = [];
  const answers = new Map<string, (response: ServerResponse) => void>();
  const origin = await serve((request, response) => {
    const { url = "", headers } = request;
    asked.push(url);
    const answer = answers.get(url.split("/").at(-1) ?? "");
    if (answer !== undefined && headers.authorization === `Bearer ${botToken}`) answer(response);
    else response.writeHead(200, { "content-type": "text/html" }).end("<!DOCTYPE html><html>Sign in</html>");
  });
  const handles = createHandles(await openTestDatabase(), { now: Date.now, ttlMs: 60_000 });
  const policy = { ...closedPolicy, file_types: ["text/*", "image/png", "application/json"] };
  const fileHost = createSlackFileHost(origin, 10)(() => botToken);
  const route = createTaskFileRoute({
    handles,
    linkOf: async () => ({ slack, fileHost }),
    policy: { current: () => policy },
    limits: { ...wideLimits, MAX_FILE_READS: 100, MAX_FILES_AT_ONCE: 10, MAX_FILE: 100_000, ...limits },
    onEnd: (end) => ends.push(end),
  });
  const url = await serve(route);

  return {
    slack,
    handles,
    origin,
    asked,
    ends,
    /** Adds a file that is shared in `C1`, with the file host's response for it. */
    file: (answer: (response: ServerResponse) => void, info: Partial<SlackFileInfo> = {}) => {
      const id = `F${slack.files.size + 1}`;
      answers.set(id, answer);
      slack.files.set(id, {
        mime_type: "text/plain",
        url: `${origin}/files-pri/T1-${id}/download/${id}`,
        shared_in: ["C1"],
        ...info,
      });
      return id;
    },
    /** Reads a file, by default with a new handle for it in `C1`. */
    read: async (id: string, { handle, signal }: { handle?: string; signal?: AbortSignal } = {}) => {
      const grant = { request_id: "r1", correlation_id: "c1", team_id: "T1", channel: "C1", file_ids: [id] };
      const authorization = `Bearer ${handle ?? (await handles.issue(grant))}`;
      return fetch(`${url}/files/${id}`, { headers: { authorization }, signal });
    },
  };
}

const says =
  (body: string | Buffer, type = "text/plain", headers: Record<string, string> = {}) =>
  (response: ServerResponse): void =>
    void response.writeHead(200, { "content-type": type, ...headers }).end(body);
const png = Buffer.concat([Buffer.from("89504e470d0a1a0a0000000d49484452", "hex"), Buffer.alloc(100)]);

async function refused(response: Response): Promise<[number, FileRefusal]> {
  expect(response.headers.get("content-type")).toBe("application/json");
  const { error } = (await response.json()) as { error: { reason: FileRefusal; message: string } };
  expect(error.message).toMatch(/^[A-Z].*\.$/);
  return [response.status, error.reason];
}

test("a file larger than the inspected part is returned whole, with its length", async () => {
  const zone = await startFileZone();
  const bytes = Buffer.concat([png, Buffer.alloc(50_000, 7)]);
  const id = zone.file(says(bytes, "image/png", { "content-length": String(bytes.length) }), {
    mime_type: "image/png",
  });
  const response = await zone.read(id);
  expect(response.headers.get("content-length")).toBe(String(bytes.length));
  expect(Buffer.from(await response.arrayBuffer()).equals(bytes)).toBe(true);
});

test("without a handle, with an unknown handle, or after the task has ended: 401 without a call to Slack", async () => {
  const zone = await startFileZone();
  const id = zone.file(says("text"));
  const grant = { request_id: "ended", correlation_id: "c", team_id: "T1", channel: "C1", file_ids: [id] };
  const ended = await zone.handles.issue(grant);
  await zone.handles.revoke(grant);
  for (const handle of ["", `czh_${"a".repeat(43)}`, botToken, ended]) {
    const response = await zone.read(id, { handle });
    expect(response.headers.get("www-authenticate")).toBe("Bearer");
    expect(await refused(response)).toEqual([401, "unauthorized"]);
  }
  expect([zone.asked, zone.slack.calls]).toEqual([[], []]);
});

test("with the handle of another task: 404 without a call to Slack", async () => {
  const zone = await startFileZone();
  const [mine, theirs] = [zone.file(says("mine")), zone.file(says("theirs"))];
  const grant = { request_id: "r", correlation_id: "c", team_id: "T1", channel: "C1", file_ids: [mine] };
  const handle = await zone.handles.issue(grant);
  for (const id of [theirs, `${mine}/..%2f${theirs}`, "", "__proto__"])
    expect(await refused(await zone.read(id, { handle }))).toEqual([404, "unknown_file"]);
  expect([zone.asked, zone.slack.calls]).toEqual([[], []]);
  expect(await (await zone.read(mine, { handle })).text()).toBe("mine");
});

test.each<[title: string, refusal: [number, FileRefusal], arrange: (zone: FileZone) => string]>([
  ["is shared elsewhere", [404, "not_shared"], (zone) => zone.file(says("x"), { shared_in: ["C2"] })],
  ["is not known to Slack", [404, "not_shared"], () => "F0"],
  ["is stored outside Slack", [403, "external"], (zone) => zone.file(says("x"), { refusal: "external" })],
  ["is of a type that is not allowed", [415, "type_not_allowed"], (zone) => zone.file(says("x"), { mime_type: "x/y" })],
  ["is too large according to Slack", [413, "too_large"], (zone) => zone.file(says("x"), { size: 100_001 })],
  ["is on another port", [502, "slack_elsewhere"], (zone) => zone.file(says("x"), { url: "http://127.0.0.1:1/F1" })],
  [
    "has a URL with a user",
    [502, "slack_elsewhere"],
    (zone) => zone.file(says("x"), { url: zone.origin.replace("//", "//a@") }),
  ],
])("a file that %s is refused with %j and not downloaded", async (_title, refusal, arrange) => {
  const zone = await startFileZone();
  expect(await refused(await zone.read(arrange(zone)))).toEqual(refusal);
  expect(zone.asked).toEqual([]);
});

test.each<[title: string, refusal: [number, FileRefusal], answer: (response: ServerResponse) => void]>([
  ["the sign-in page", [502, "slack_signed_out"], says("<!DOCTYPE html><html>Sign in</html>", "text/html")],
  ["the sign-in page, declared as text", [502, "slack_signed_out"], says("\n <!doctype HTML>\n<html>", "text/plain")],
  ["a picture, declared as text", [502, "slack_wrong_type"], says(png, "text/plain")],
  ["another type", [502, "slack_wrong_type"], says(png, "image/png")],
  ["a compressed body", [502, "slack_wrong_type"], says("x", "text/plain", { "content-encoding": "gzip" })],
  ["a length over the limit", [413, "too_large"], says("x", "text/plain", { "content-length": "10000000000" })],
  ["429", [502, "slack_unavailable"], (response) => void response.writeHead(429, { "retry-after": "60" }).end()],
  ["500", [502, "slack_unavailable"], (response) => void response.writeHead(500).end("trouble")],
  ["403", [502, "slack_refused"], (response) => void response.writeHead(403).end("no")],
  ["a cut connection", [502, "slack_unavailable"], (response) => void response.destroy()],
])("when Slack responds with %s: %j, without any of its response", async (_title, refusal, answer) => {
  const zone = await startFileZone();
  expect(await refused(await zone.read(zone.file(answer)))).toEqual(refusal);
});

const vtt = `WEBVTT\n\n1\n00:00:00.000 --> 00:00:02.000\n<v Bob>Call the &amp; customer\n\n00:00:02.000 --> 00:00:03.000\nback.`;

test("W12: a clip is read as its transcript, as soon as Slack has it; an e-mail as its text", async () => {
  const zone = await startFileZone();
  const clip = zone.file(says(vtt, "text/vtt"));
  const url = zone.slack.files.get(clip)?.url;
  const read = (file: object): void =>
    void zone.slack.files.set(
      clip,
      readFileInfo({ mimetype: "audio/mp4", url_private: url, channels: ["C1"], ...file }),
    );
  read({ transcription: { status: "processing" } });
  const response = zone.read(clip);
  await vi.waitFor(() => expect(zone.slack.calls).toEqual(["fileInfo"]));
  read({ transcription: { status: "complete" }, vtt: url });
  const text = "Bob: Call the & customer\nback.";
  expect([(await response).headers.get("content-type"), await (await response).text()]).toEqual(["text/plain", text]);
  expect(zone.ends).toMatchObject([{ outcome: "served", bytes: text.length }]);

  const plain_text = "x".repeat(9_000);
  read({
    mode: "email",
    mimetype: "text/html",
    subject: "Offer",
    from: [{ name: "Eve", address: "e@x.org" }],
    plain_text,
  });
  expect(await (await zone.read(clip)).text()).toBe(`Subject: Offer\nFrom: Eve <e@x.org>\n\n${plain_text}`);
  read({ mode: "email", plain_text: plain_text.repeat(20) });
  expect(await refused(await zone.read(clip))).toEqual([413, "too_large"]);
  read({ transcription: { status: "complete" }, vtt: "https://files.example.com/vtt" });
  expect(await refused(await zone.read(clip))).toEqual([502, "slack_elsewhere"]);
  read({ transcription: { status: "failed" } });
  expect(await refused(await zone.read(clip))).toEqual([415, "type_not_allowed"]);
});

test("S14: a redirect is not followed, so the token reaches no other host", async () => {
  const [zone, trap] = [await startFileZone(), await startFileZone()];
  const id = zone.file((response) => void response.writeHead(302, { location: `${trap.origin}/trap` }).end());
  expect(await refused(await zone.read(id))).toEqual([502, "slack_redirected"]);
  expect(trap.asked).toEqual([]);
});

test("a body that exceeds the limit is aborted, and never looks complete", async () => {
  const zone = await startFileZone({ MAX_FILE: 20_000 });
  const id = zone.file((response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const timer = setInterval(() => response.write("x".repeat(5_000)), 1);
    response.on("close", () => clearInterval(timer));
  });
  await expect(zone.read(id).then((response) => response.text())).rejects.toThrow("terminated");
  await vi.waitFor(() => expect(zone.ends).toMatchObject([{ outcome: "too_large" }]));
});

test("an endless file is aborted at its timeout: 504 before the first byte, a broken body after it", async () => {
  const zone = await startFileZone({ FILE_TIMEOUT_MS: 100 });
  const dripping = (start: string) =>
    zone.file((response) => {
      response.writeHead(200, { "content-type": "text/plain" });
      response.write(start);
      const timer = setInterval(() => response.write("x"), 5);
      response.on("close", () => clearInterval(timer));
    });
  expect(await refused(await zone.read(dripping("slow")))).toEqual([504, "timeout"]);
  const late = new AbortController();
  vi.spyOn(AbortSignal, "timeout").mockReturnValueOnce(late.signal);
  const begun = await zone.read(dripping("x".repeat(9_000)));
  late.abort();
  await expect(begun.text()).rejects.toThrow("terminated");
  await vi.waitFor(() => expect(zone.ends).toMatchObject([{ outcome: "timeout" }, { outcome: "timeout" }]));
});

test("when the client disconnects, the download is aborted", async () => {
  const zone = await startFileZone();
  const closed = Promise.withResolvers<void>();
  const id = zone.file((response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    response.write("x".repeat(9_000));
    response.on("close", closed.resolve);
  });
  const leave = new AbortController();
  await zone.read(id, { signal: leave.signal });
  leave.abort();
  await closed.promise;
  await vi.waitFor(() => expect(zone.ends).toMatchObject([{ outcome: "gone" }]));
});

test("concurrent downloads and files per task are limited", async () => {
  const zone = await startFileZone({ MAX_FILES_AT_ONCE: 1, MAX_FILE_READS: 2 });
  const open = Promise.withResolvers<ServerResponse>();
  const slow = zone.file(open.resolve);
  const quick = zone.file(says("text"));
  const reading = zone.read(slow);
  const response = await open.promise;
  const busy = await zone.read(quick);
  expect(busy.headers.get("retry-after")).toBe("1");
  expect(await refused(busy)).toEqual([503, "busy"]);
  says("done")(response);
  expect(await (await reading).text()).toBe("done");
  await vi.waitFor(() => expect(zone.ends).toHaveLength(2));
  const grant = { request_id: "r", correlation_id: "c", team_id: "T1", channel: "C1", file_ids: [quick] };
  const handle = await zone.handles.issue(grant);
  for (const text of ["text", "text"]) {
    expect(await (await zone.read(quick, { handle })).text()).toBe(text);
    await vi.waitFor(() => expect(zone.ends.at(-1)).toMatchObject({ outcome: "served" }));
  }
  await vi.waitFor(async () => expect(await refused(await zone.read(quick, { handle }))).toEqual([429, "too_many"]));
});

test("a client that does not read slows down the download, and nothing accumulates in memory", async () => {
  const zone = await startFileZone({ MAX_FILE: 1e9 });
  let written = 0;
  const id = zone.file((response) => {
    response.writeHead(200, { "content-type": "text/plain" });
    const more = (): void => {
      while (written < 2e8) {
        written += 100_000;
        if (!response.write("x".repeat(100_000))) return void response.once("drain", more);
      }
    };
    more();
  });
  const leave = new AbortController();
  await zone.read(id, { signal: leave.signal });
  await delay(300);
  leave.abort();
  expect(written).toBeLessThan(1e8);
});

test("O16: a database that refuses the zone is no fault of Slack's, and the file can be read again later", async () => {
  const zone = await startFileZone();
  const id = zone.file(says("text"));
  vi.spyOn(zone.handles, "find").mockRejectedValueOnce(Object.assign(new Error("no"), { code: "28P01" }));
  const response = await zone.read(id);
  expect(response.headers.get("retry-after")).toBe("1");
  expect(await refused(response)).toEqual([503, "zone_unavailable"]);
  expect((await zone.read(id)).status).toBe(200);
});
