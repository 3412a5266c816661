/**
 * A program that does its worst with one token: every request that A2A 0.3, A2A 1.0 and MCP allow, and malformed ones, in an order that only the
 * seed decides. Also the agent whose answers are as large as answers can be. Run it with `fork`: the zone it asks must not wait for the test.
 */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import { createRandom, type Random } from "./random.ts";

/** What the test sends: a number of quick tasks to prepare, or seconds of everything. */
export interface LoadOrder {
  readonly askUrl: string;
  readonly token: string;
  readonly seed: number;
  readonly atOnce: number;
  /** Tasks to ask for; a tenth of them wait for people. */
  readonly tasks?: number;
  readonly seconds?: number;
}

/** What it sends back: first its agent's URL, then for each order how many answers of each kind came. */
export type LoadReport = { readonly agentUrl: string } | { readonly tally: Readonly<Record<string, number>> };

const requestMs = 20_000;
const mostIds = 5_000;

/** A seventh is larger than the limit of a body. */
const bodySizes = [10, 200, 10_000, 100_000, 300_000, 900_000, 1_100_000];
const answerSizes = [10, 10_000, 300_000, 1_000_000, 3_000_000, 6_000_000];

const sockets = new Agent({ keepAlive: true, maxSockets: 500 });
const ids: string[] = [];
const tokens: string[] = [];
let learned = -1;
const tally: Record<string, number> = {};
const count = (what: string): void => void (tally[what] = (tally[what] ?? 0) + 1);

/** Answers with as many characters as the text begins with; every second time in a file. */
async function answerLarge(incoming: IncomingMessage): Promise<string> {
  const body = Buffer.concat(await incoming.toArray()).toString("latin1");
  const { id } = JSON.parse(body) as { readonly id: unknown };
  const size = Number(/answer (\d+)/.exec(body)?.[1] ?? 10);
  await delay(20);
  const text = { kind: "text", text: "é".repeat(Math.min(size, 2_000_000) / 2) };
  const file = { kind: "file", file: { name: "a.bin", mimeType: "application/octet-stream", bytes: "A".repeat(size) } };
  const parts = body.includes("as file") ? [{ kind: "text", text: "here" }, file] : [text];
  return JSON.stringify({ jsonrpc: "2.0", id, result: { kind: "message", role: "agent", messageId: "m", parts } });
}

async function startAgent(): Promise<string> {
  const server = createServer((incoming, response) => {
    // It has no card.
    if (incoming.method !== "POST") response.writeHead(404).end();
    else
      answerLarge(incoming).then(
        (body) => response.writeHead(200, { "content-type": "application/json" }).end(body),
        () => response.writeHead(400).end(),
      );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

interface Shot {
  readonly path: string;
  readonly body: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
  /** Leave after this time, milliseconds. */
  readonly leaveMs?: number;
  /** Read nothing for this time, milliseconds. */
  readonly lateMs?: number;
}

/** Sends one request and reads its answer, of which only the beginning is kept. Never rejects. */
async function shoot({ askUrl, token }: LoadOrder, { path, body, headers, leaveMs, lateMs }: Shot): Promise<string> {
  const signal = AbortSignal.timeout(leaveMs ?? requestMs);
  try {
    const sent = request(`${askUrl}${path}`, {
      method: "POST",
      agent: sockets,
      signal,
      headers: {
        authorization: `Bearer ${token}`,
        "content-type": "application/json",
        accept: "application/json, text/event-stream",
        "content-length": Buffer.byteLength(body),
        ...headers,
      },
    });
    const answered = once(sent, "response") as Promise<[IncomingMessage]>;
    sent.on("error", () => undefined).end(body);
    const [response] = await answered;
    if (lateMs !== undefined) await delay(lateMs, undefined, { signal });
    let text = "";
    for await (const chunk of response) if (text.length < 4_000) text += String(chunk).slice(0, 4_000);
    count(`${response.statusCode}${response.statusCode === 200 && text.includes('"error"') ? " error" : ""}`);
    return text;
  } catch (error) {
    count(leaveMs === undefined ? `failed ${(error as { readonly code?: string }).code ?? String(error)}` : "left");
    return "";
  }
}

function learn(text: string): void {
  const id = /"(?:id|taskId|task_id)":"([\da-f]{8}-[\da-f-]{27})"/.exec(text)?.[1];
  if (id !== undefined) ids[(learned += 1) % mostIds] = id;
  const page = /"nextPageToken":"([^"]+)"/.exec(text)?.[1];
  if (page !== undefined) tokens[tokens.length % 50] = page;
}

const agents = ["builtin", "big", "pay"];
const rpc = (method: string, params: unknown): string => JSON.stringify({ jsonrpc: "2.0", id: 1, method, params });
const textOf = (random: Random): string => {
  const filler = "x".repeat(random.pick(bodySizes));
  return `answer ${random.pick(answerSizes)} ${random.chance(0.5) ? "as file" : ""} ${random.chance(0.2) ? filler.replaceAll("x", "é") : filler}`;
};

function messageOf(random: Random, isOld: boolean, more: object = {}): object {
  const text = textOf(random);
  const messageId = `m-${random.int(2 ** 31)}-${random.int(2 ** 31)}`;
  const contextId = random.chance(0.3) ? { contextId: `c${random.int(20)}` } : {};
  return isOld
    ? { kind: "message", role: "user", messageId, parts: [{ kind: "text", text }], ...contextId, ...more }
    : { role: "ROLE_USER", messageId, parts: [{ text }], ...contextId, ...more };
}

function a2aShot(random: Random): Shot {
  const isOld = random.chance(0.3);
  const id = random.pick(ids);
  const send = { message: messageOf(random, isOld), configuration: configurationOf(random, isOld) };
  const reply = { message: messageOf(random, isOld, { taskId: id }) };
  const sight = random.chance(0.5) ? { historyLength: random.int(3) } : {};
  const list = {
    ...sight,
    ...(random.chance(0.7) && { pageSize: random.pick([1, 20, 100]) }),
    ...(random.chance(0.6) && { includeArtifacts: random.chance(0.8) }),
    ...(random.chance(0.2) && {
      status: `TASK_STATE_${random.pick(["WORKING", "COMPLETED", "FAILED", "INPUT_REQUIRED", "CANCELED"])}`,
    }),
    ...(random.chance(0.2) && { contextId: `c${random.int(20)}` }),
    ...(random.chance(0.1) && { statusTimestampAfter: new Date(Date.now() - random.int(60_000)).toISOString() }),
    ...(random.chance(0.2) && tokens.length > 0 && { pageToken: random.pick(tokens) }),
  };
  const calls: readonly (readonly [string, string, unknown])[] = [
    ["SendMessage", "message/send", send],
    ["SendMessage", "message/send", send],
    ["SendMessage", "message/send", reply],
    ["SendStreamingMessage", "message/stream", send],
    ["GetTask", "tasks/get", { id, ...sight }],
    ["GetTask", "tasks/get", { id, ...sight }],
    ["ListTasks", "tasks/get", isOld ? { id } : list],
    ["ListTasks", "tasks/get", isOld ? { id } : list],
    ["CancelTask", "tasks/cancel", { id }],
    ["SubscribeToTask", "tasks/resubscribe", { id }],
  ];
  const [method, old, params] = random.pick(calls);
  return {
    path: `/a2a/${random.pick(agents)}/`,
    body: rpc(isOld ? old : method, params),
    headers: { "a2a-version": isOld ? "0.3" : "1.0" },
    ...mannersOf(random),
  };
}

const configurationOf = (random: Random, isOld: boolean): object =>
  isOld ? { blocking: random.chance(0.5) } : { returnImmediately: random.chance(0.5) };

/** Most wait for their answer; some leave, some read late. */
function mannersOf(random: Random): Pick<Shot, "leaveMs" | "lateMs"> {
  if (random.chance(0.1)) return { leaveMs: 10 + random.int(2_000) };
  return random.chance(0.1) ? { lateMs: random.int(3_000) } : {};
}

function mcpShot(random: Random): Shot {
  const tool = (name: string, given: object): string => rpc("tools/call", { name, arguments: given });
  const task_id = random.pick(ids);
  const body = random.pick([
    () =>
      rpc("initialize", { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "l", version: "1" } }),
    () => rpc("tools/list", {}),
    () => tool("ask_builtin", { message: textOf(random) }),
    () => tool("ask_big", { message: textOf(random) }),
    () => tool("run_pay", {}),
    () => tool("get_task", { task_id, wait_seconds: random.int(3) }),
    () => tool("get_task", { task_id, wait_seconds: 0 }),
    () => tool("cancel_task", { task_id }),
    () => tool("answer_input", { task_id, request_id: "r", value: textOf(random) }),
    () => tool("nothing", {}),
  ])();
  return { path: "/mcp", body, headers: { "mcp-protocol-version": "2025-11-25" }, ...mannersOf(random) };
}

function malformedShot(random: Random): Shot {
  const path = random.pick(["/a2a/builtin/", "/a2a/big/", "/a2a/none/", "/mcp", "/nothing"]);
  const whole = rpc("SendMessage", { message: messageOf(random, false) });
  const bytes = Buffer.from(whole);
  for (let flip = 0; flip < 20; flip += 1) bytes[random.int(Math.min(bytes.length, 400))] = random.int(256);
  const body = random.pick([
    bytes,
    whole.slice(0, -random.int(50) - 1),
    "[".repeat(100_000),
    rpc("SendMessage", random.int(9)),
    "",
    `[${whole}]`,
  ]);
  return { path, body, headers: { "a2a-version": random.pick(["1.0", "0.3", "9", ""]) } };
}

async function fire(order: LoadOrder): Promise<void> {
  const until = performance.now() + (order.seconds ?? 0) * 1_000;
  const worker = async (number: number): Promise<void> => {
    const random = createRandom(order.seed, number);
    while (performance.now() < until) {
      const shot = random.chance(0.1) ? malformedShot : random.chance(0.3) ? mcpShot : a2aShot;
      learn(await shoot(order, shot(random)));
    }
  };
  await Promise.all(Array.from({ length: order.atOnce }, (_, number) => worker(number)));
}

/** Asks for tasks, a tenth of which wait for people. */
async function prepare(order: LoadOrder): Promise<void> {
  let left = order.tasks ?? 0;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const agent = left % 10 === 0 ? "pay" : "builtin";
      const message = {
        role: "ROLE_USER",
        messageId: `p-${left}`,
        parts: [{ text: agent === "pay" ? "{}" : `2+${left}` }],
      };
      learn(
        await shoot(order, {
          path: `/a2a/${agent}/`,
          body: rpc("SendMessage", { message }),
          headers: { "a2a-version": "1.0" },
        }),
      );
    }
  };
  await Promise.all(Array.from({ length: 20 }, worker));
}

const tell = (report: LoadReport): void => void process.send?.(report);

process.on("message", (order: LoadOrder) => {
  for (const name of Object.keys(tally)) delete tally[name];
  void (order.seconds === undefined ? prepare(order) : fire(order)).then(() => tell({ tally }));
});
process.on("disconnect", () => process.exit());
tell({ agentUrl: await startAgent() });
