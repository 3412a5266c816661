import type { IncomingMessage, ServerResponse } from "node:http";
import { json } from "node:stream/consumers";
import { serve } from "@crosszone/testkit/temporary";

export const testToken = "admin-token-of-the-test";

/** A received request. */
export interface ReceivedRequest {
  /** As `POST /runs`, below `/api/v1`. */
  readonly line: string;
  readonly headers: IncomingMessage["headers"];
  readonly body?: unknown;
}

/** Answers one request; `count` is the number of earlier requests with the same line. */
export type FakeAnswer = (response: ServerResponse, request: ReceivedRequest, count: number) => void;

/** Answers by line, as `GET /runs?limit=20`, whatever the order of the query. A body is sent with HTTP 200. */
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
    const answer = answers[line] ?? Object.entries(answers).find(([other]) => sorted(other) === sorted(line))?.[1];
    if (headers.authorization !== `Bearer ${testToken}`) problem(response, { kind: "unauthorized", status: 401 });
    else if (answer === undefined) problem(response, { kind: "not-found", status: 404, detail: `Not ${line}.` });
    else if (typeof answer === "function") (answer as FakeAnswer)(response, one, count);
    else answerWith(response, 200, answer);
  }

  const url = await serve(respond);
  /** The requests of one line. */
  const requestsFor = (line: string): ReceivedRequest[] => requests.filter((one) => one.line === line);
  /** Replaces the answers to these lines. */
  const change = (more: typeof first): void => void (answers = { ...answers, ...more });
  return { url, requests, requestsFor, change };
}

const sorted = (line: string): string => line.split(/[?&]/).toSorted().join("&");

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

/** Answers a deletion. */
export const deleted: FakeAnswer = (response) => void response.writeHead(204).end();

/** Refuses a request. */
export const refusing =
  (kind: string, status = 404, more: object = {}): FakeAnswer =>
  (response) =>
    problem(response, { kind, status, ...more });
