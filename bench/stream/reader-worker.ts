import { randomUUID } from "node:crypto";
import { get, request, type IncomingMessage } from "node:http";
import { setTimeout as delay } from "node:timers/promises";
import { serveCommands } from "../kit/commands.ts";
import { questionOf, sharedNow, textOf, type StreamOrder } from "./streams.ts";

/** The streams that a reader reads, and where. */
export interface Reading {
  readonly url: string;
  /** The bearer token of the zone; not of a relay. */
  readonly token: string;
  readonly orders: readonly StreamOrder[];
  /** Between the starts of two streams, milliseconds. */
  readonly everyMs: number;
}

/** What became of a stream. */
export interface ReadStream {
  readonly n: number;
  /** When its first text came, by the shared clock, milliseconds; undefined for one that was not read. */
  readonly firstAt: number | undefined;
  /** The text is the source's, byte for byte. */
  readonly right: boolean;
}

interface ZoneMessage {
  readonly params?: { readonly task_id: string; readonly type: string; readonly seq: number };
  readonly result?: { readonly status: string; readonly response_text?: string };
}

/** Reads events whose data is one line each, as all peers here send them. */
async function events(response: IncomingMessage, onData: (data: string) => void): Promise<void> {
  response.setEncoding("utf8");
  let rest = "";
  for await (const chunk of response) {
    const pieces = (rest + (chunk as string)).split("\n\n");
    rest = pieces.pop() ?? "";
    for (const piece of pieces) if (piece.startsWith("data: ")) onData(piece.slice(6));
  }
}

async function readRelay({ url }: Reading, order: StreamOrder): Promise<ReadStream> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/events/${encodeURIComponent(questionOf(order))}`, resolve).once("error", reject);
  });
  let text = "";
  let firstAt: number | undefined;
  await events(response, (data) => {
    const { result } = JSON.parse(data) as { result: { artifactUpdate?: { artifact: { parts: [{ text: string }] } } } };
    if (result.artifactUpdate === undefined) return;
    firstAt ??= sharedNow();
    text += result.artifactUpdate.artifact.parts[0].text;
  });
  return { n: order.n, firstAt, right: text === textOf(order) };
}

async function call({ url, token }: Reading, method: string, params: object): Promise<IncomingMessage> {
  const headers = {
    authorization: `Bearer ${token}`,
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
  };
  return new Promise((resolve, reject) => {
    const sent = request(`${url}/rpc`, { method: "POST", headers }, resolve).once("error", reject);
    sent.end(JSON.stringify({ jsonrpc: "2.0", method, params, id: randomUUID() }));
  });
}

/** Reads a task of the execution zone as verification does: `execute_task`, then `get_async_task_result` from the last event on. */
async function readTask(reading: Reading, order: StreamOrder): Promise<ReadStream> {
  const received = { taskId: "", seq: 0 } as { taskId: string; seq: number; firstAt?: number; text?: string };
  const asked = { channel: "C1", text: questionOf(order), bot_token: "czh_x" };
  while (received.text === undefined) {
    const more = { task_id: received.taskId, wait_ms: 20_000, since_seq: received.seq };
    const response = await (received.taskId === ""
      ? call(reading, "execute_task", asked)
      : call(reading, "get_async_task_result", more));
    await events(response, (data) => {
      const { params, result } = JSON.parse(data) as ZoneMessage;
      if (result === undefined && params === undefined) throw new Error(`stream ${order.n}: ${data}`);
      if (params?.type === "text") received.firstAt ??= sharedNow();
      if (params !== undefined) Object.assign(received, { taskId: params.task_id, seq: params.seq });
      if (result?.response_text !== undefined) received.text = result.response_text;
    });
  }
  return { n: order.n, firstAt: received.firstAt, right: received.text === textOf(order) };
}

async function readAll(
  reading: Reading,
  read: (order: StreamOrder) => Promise<ReadStream>,
): Promise<readonly ReadStream[]> {
  const { orders, everyMs } = reading;
  return Promise.all(orders.map((order, index) => delay(index * everyMs).then(() => read(order))));
}

serveCommands({
  relay: (reading: Reading) => readAll(reading, (order) => readRelay(reading, order)),
  tasks: (reading: Reading) => readAll(reading, (order) => readTask(reading, order)),
});
