import { spawn } from "node:child_process";
import type { IncomingMessage, ServerResponse } from "node:http";
import { PassThrough, Readable } from "node:stream";
import { json, text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { serve } from "@crosszone/testkit/temporary";
import { onTestFinished } from "vitest";
import { startCli } from "../run-process.ts";

/** A received request. */
export interface ReceivedRequest {
  /** As `POST /runs`, below `/api/v1`. */
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body?: unknown;
}

/** Answers one request; `count` is the number of earlier requests with the same line. */
export type FakeAnswer = (response: ServerResponse, request: ReceivedRequest, count: number) => void;

/** Answers by line, as `GET /runs`. A body is sent with HTTP 200. */
export type FakeAnswers = Readonly<Record<string, FakeAnswer | object>>;

/** Fakes a zone in states that a real one can't be put into: broken connections, overload, malformed responses. */
export async function startFakeZone(first: FakeAnswers) {
  let answers = first;
  const requests: ReceivedRequest[] = [];

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "", url = "", headers } = request;
    const line = `${method} ${url.replace("/api/v1", "")}`;
    const one = {
      line,
      headers,
      ...(/^(POST|PATCH)$/.test(method) && { body: await json(request).catch(() => undefined) }),
    };
    const count = requests.filter((other) => other.line === line).length;
    requests.push(one);
    const answer = answers[line];
    if (headers.authorization !== `Bearer ${testToken}`) problem(response, { kind: "unauthorized", status: 401 });
    else if (answer === undefined) problem(response, { kind: "not-found", status: 404, detail: `Not ${line}.` });
    else if (typeof answer === "function") (answer as FakeAnswer)(response, one, count);
    else answerWith(response, 200, answer);
  }

  const url = await serve((request, response) => void respond(request, response));
  /** The requests of one line. */
  const requestsFor = (line: string): ReceivedRequest[] => requests.filter((one) => one.line === line);
  /** Replaces the answers to these lines. */
  const change = (more: typeof first): void => void (answers = { ...answers, ...more });
  return { url, requests, requestsFor, change };
}

export function answerWith(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
}

interface FakeProblem {
  readonly kind: string;
  readonly status: number;
  readonly retryAfter?: string;
  readonly [member: string]: unknown;
}

export function problem(response: ServerResponse, { kind, status, retryAfter, ...more }: FakeProblem): void {
  const headers = { "content-type": "application/problem+json", ...(retryAfter && { "retry-after": retryAfter }) };
  const body = { type: `https://crosszone.dev/problems/${kind}`, title: "It is refused", status, ...more };
  response.writeHead(status, headers).end(JSON.stringify(body));
}

/** Opens a stream of events and sends these. The stream stays open. */
export function stream(response: ServerResponse, events: readonly (readonly [data: object, id?: number])[]): void {
  if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" }).write("retry: 10\n\n");
  for (const [data, id] of events) {
    const { type } = data as { readonly type: string };
    response.write(`event: ${type}\n${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`);
  }
}

const main = fileURLToPath(new URL("../main.ts", import.meta.url));

export type CliRun = ReturnType<typeof runCli>;

export const testToken = "admin-token-of-the-test";

/** Runs the command line as a separate process, without a terminal. */
export function runCli(
  url: string,
  argv: readonly string[],
  { input = "", more = {} }: { readonly input?: string; readonly more?: Readonly<Record<string, string>> } = {},
) {
  const env = {
    CROSSZONE_URL: url,
    CROSSZONE_TOKEN: testToken,
    CROSSZONE_LINK_TOKEN: testToken,
    NO_COLOR: "1",
    ...more,
  };
  const child = spawn(process.execPath, ["--conditions=@crosszone/source", main, ...argv], { env });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.end(input);
  let written = "";
  const waiting = new Map<string, () => void>();
  child.stderr.on("data", (piece: Buffer) => {
    written += piece.toString();
    for (const [words, resolve] of waiting) if (written.includes(words)) resolve();
  });
  const code = new Promise<number | null>((resolve) => void child.once("close", resolve));
  const done = Promise.all([code, text(child.stdout).catch(() => ""), text(child.stderr)]);
  return {
    done: done.then(([exit, out, err]) => ({ code: exit, out, err })),
    /** Resolves once the output contains these words. */
    wrote: (words: string) =>
      new Promise<void>((resolve, reject) => {
        if (written.includes(words)) resolve();
        waiting.set(words, resolve);
        void code.then(() => reject(new Error(`it ended without writing ${words}: ${written}`)));
      }),
    /** Presses Ctrl-C. */
    interrupt: () => child.kill("SIGINT"),
    /** Closes the standard output, as `head` does. */
    stopReading: () => child.stdout.destroy(),
  };
}

interface TerminalOptions {
  readonly columns?: number;
  readonly env?: Readonly<Record<string, string>>;
  readonly pageToken?: string;
}

/** Runs a command line in this process on a terminal with color, and returns what both streams show there. */
export async function runOnTerminal(url: string, argv: readonly string[], options: TerminalOptions = {}) {
  const { columns = 80, env, ...more } = options;
  const terminal = Object.assign(new PassThrough(), { isTTY: true, columns, rows: 24 });
  let shown = "";
  terminal.on("data", (piece: Buffer) => (shown += piece.toString()));
  const code = await startCli({
    argv,
    env: { CROSSZONE_URL: url, CROSSZONE_TOKEN: testToken, ...env },
    stdin: Readable.from([]),
    stdout: terminal,
    stderr: terminal,
    onInterrupt: () => () => undefined,
    onStop: () => () => undefined,
    ...more,
  });
  return { code, shown };
}
