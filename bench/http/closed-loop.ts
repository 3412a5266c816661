import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { spreadOf } from "../kit/statistics.ts";
import { idPlace } from "./messages.ts";

export interface LoadResult {
  readonly requests: number;
  readonly seconds: number;
  readonly p50Us: number;
  readonly p99Us: number;
  /** Answers that were not 200, or had another id or another text; and the first of them. */
  readonly wrong: number;
  readonly firstWrong: string | undefined;
}

/** When to stop: after a time, after a number of requests, or after the first of both. */
export interface Until {
  readonly ms?: number;
  readonly requests?: number;
}

export async function openSockets(url: URL, connections: number): Promise<Socket[]> {
  const address = { host: url.hostname, port: Number(url.port), noDelay: true };
  const sockets = Array.from({ length: connections }, () => connect(address));
  await Promise.all(sockets.map((socket) => once(socket, "connect")));
  return sockets;
}

export interface LoadStyle {
  /** What every right answer has in its text. */
  readonly expects: string;
  /** Whether the load keeps its core busy while it waits: where it has a core of its own, the server need not wake it up. */
  readonly spins: boolean;
}

/**
 * Keeps all sockets busy at the same time and checks every answer. On bare sockets, because the load must cost less than the fastest
 * server, and because every request needs an id of its own.
 */
export async function runClosedLoop(
  sockets: readonly Socket[],
  template: RequestTemplate,
  { until, expects, spins }: LoadStyle & { readonly until: Until },
): Promise<LoadResult> {
  const latencies: number[] = [];
  const wrong: string[] = [];
  const { ms: forMs = Infinity, requests = Infinity } = until;
  const end = performance.now() + forMs;
  const onAnswer = ({ status, body }: HttpAnswer, id: string, ms: number): boolean => {
    latencies.push(ms);
    const isRight = status === 200 && body.includes(id) && body.includes(expects);
    if (!isRight) wrong.push(`${status} ${body.slice(0, 500)}`);
    return latencies.length < requests && performance.now() < end;
  };
  const startedAt = performance.now();
  const stopSpinning = spins ? spin() : () => undefined;
  await Promise.all(sockets.map((socket) => keepBusy(socket, template, onAnswer))).finally(stopSpinning);
  const seconds = (performance.now() - startedAt) / 1_000;
  const { p50, p99 } = spreadOf(latencies);
  const latency = { p50Us: p50 * 1_000, p99Us: p99 * 1_000 };
  return { requests: latencies.length, seconds, ...latency, wrong: wrong.length, firstWrong: wrong[0] };
}

/** Keeps this process from sleeping: a server would pay for waking it up, and a slow one more often than a fast one. */
function spin(): () => void {
  let isOn = true;
  const turn = (): void => {
    if (isOn) setImmediate(turn);
  };
  turn();
  return () => {
    isOn = false;
  };
}

/** Keeps all sockets busy until the server is gone. Returns the id of each acknowledged task. Throws for any other answer. */
export async function acknowledgedUntilClosed(
  sockets: readonly Socket[],
  template: RequestTemplate,
): Promise<string[]> {
  const taskIds: string[] = [];
  let other: string | undefined;
  const onAnswer = ({ status, body }: HttpAnswer): boolean => {
    const taskId = status === 200 ? /"task_id":"([^"]+)"/.exec(body)?.[1] : undefined;
    if (taskId === undefined) other ??= `${status} ${body.slice(0, 500)}`;
    else taskIds.push(taskId);
    return taskId !== undefined;
  };
  await Promise.allSettled(sockets.map((socket) => keepBusy(socket, template, onAnswer)));
  if (other !== undefined) throw new Error(`an answer that acknowledges nothing: ${other}`);
  return taskIds;
}

/** A request of the load: HTTP header and body in one buffer, and the places of its id. */
export interface RequestTemplate {
  readonly bytes: Buffer;
  readonly idsAt: readonly number[];
}

/** Writes a POST over HTTP/1.1 by hand, so that sending one costs a memory write and a system call. */
export function requestTemplate(url: URL, headers: Readonly<Record<string, string>>, body: string): RequestTemplate {
  const lines = [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    "content-type: application/json",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
  const text = bytes.toString("latin1");
  return { bytes, idsAt: [...text.matchAll(new RegExp(idPlace, "g"))].map(({ index }) => index) };
}

interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** Reads an answer of a known length, one character a byte; `undefined` while it is incomplete. Throws when it has no length. */
function readHttpAnswer(text: string): HttpAnswer | undefined {
  const headerEnd = text.indexOf("\r\n\r\n");
  if (headerEnd === -1) return undefined;
  const length = /\r\ncontent-length: ?(\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without content-length: ${text.slice(0, 200)}`);
  const body = text.slice(headerEnd + 4);
  return body.length < Number(length) ? undefined : { status: Number(text.slice(9, 12)), body };
}

/** Receives each answer, the id of its request, and its duration in milliseconds. Returns whether to send another one. */
type OnAnswer = (answer: HttpAnswer, id: string, ms: number) => boolean;

/** Sends one request at a time, the next as soon as the last answer was checked. */
async function keepBusy(socket: Socket, template: RequestTemplate, onAnswer: OnAnswer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const message = Buffer.from(template.bytes);
  let [id, received, sentAt] = ["", "", 0];

  const send = (): void => {
    id = nextId();
    for (const at of template.idsAt) message.write(id, at, "latin1");
    received = "";
    sentAt = performance.now();
    socket.write(message);
  };
  const receive = (chunk: Buffer): void => {
    received += chunk.toString("latin1");
    try {
      const answer = readHttpAnswer(received);
      if (answer === undefined) return;
      if (onAnswer(answer, id, performance.now() - sentAt)) send();
      else resolve();
    } catch (error) {
      reject(error);
    }
  };
  const closed = (): void => reject(new Error("the server closed a connection"));

  socket.on("data", receive).once("close", closed).once("error", reject);
  send();
  await promise.finally(() => socket.off("data", receive).off("close", closed).off("error", reject));
}

let sent = 0;

/** A UUID that this process has not sent yet. */
const nextId = (): string => `5b0e2a9c-0000-4000-8000-${(sent++).toString(16).padStart(12, "0")}`;
