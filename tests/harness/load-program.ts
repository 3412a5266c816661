/**
 * Programs, hook senders, an author of workflows and strangers, who do their worst at every door at once, in an order that only the seed decides.
 * Also the agent whose answers are as large as answers can be. Run it with `fork`: the zones it asks must not wait for the test.
 */
import { once } from "node:events";
import { Agent, createServer, type IncomingMessage, request } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { Sendable } from "../hostile/doors/door.ts";
import { doorsOf, type Zones } from "../hostile/doors/doors.ts";
import type { Growth } from "../hostile/doors/growths.ts";
import { createRandom, type Random } from "./random.ts";

/** What the test sends: a number of quick tasks to prepare, or seconds of everything. */
export interface LoadOrder {
  readonly zones: Zones;
  readonly seed: number;
  /** Tasks to ask for; a tenth of them wait for people. */
  readonly tasks?: number;
  readonly seconds?: number;
}

/** What it sends back: first its agent's URL, then for each order how many answers of each kind came. */
export type LoadReport = { readonly agentUrl: string } | { readonly tally: Readonly<Record<string, number>> };

const requestMs = 20_000;
const mostIds = 5_000;
const mostBody = 1_000_000;

const sockets = new Agent({ keepAlive: true, maxSockets: 500 });
const ids: string[] = [];
let learned = -1;
const tally: Record<string, number> = {};
const count = (what: string): void => void (tally[what] = (tally[what] ?? 0) + 1);

const answerSizes = [10, 10_000, 300_000, 1_000_000, 3_000_000, 6_000_000];

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

/** When a sender leaves, and how long it reads nothing, milliseconds. */
interface Manners {
  readonly leaveMs?: number;
  readonly lateMs?: number;
}

/** Most wait for their answer; some leave, some read late. */
function mannersOf(random: Random): Manners {
  if (random.chance(0.1)) return { leaveMs: 10 + random.int(2_000) };
  return random.chance(0.1) ? { lateMs: random.int(3_000) } : {};
}

/** Sends one request and reads its answer, of which only the beginning is kept. Never rejects. */
async function shoot({ url, method, headers, body = "" }: Sendable, { leaveMs, lateMs }: Manners = {}): Promise<void> {
  const signal = AbortSignal.timeout(leaveMs ?? requestMs);
  try {
    const length = { "content-length": Buffer.byteLength(body) };
    const sent = request(url, { method, agent: sockets, signal, headers: { ...headers, ...length } });
    const answered = once(sent, "response") as Promise<[IncomingMessage]>;
    sent.on("error", () => undefined).end(body);
    const [response] = await answered;
    if (lateMs !== undefined) await delay(lateMs, undefined, { signal });
    let text = "";
    for await (const chunk of response) if (text.length < 4_000) text += String(chunk).slice(0, 4_000);
    count(`${response.statusCode}${response.statusCode === 200 && text.includes('"error"') ? " error" : ""}`);
    const id = /"(?:id|taskId|task_id)":"([\da-f]{8}-[\da-f-]{27})"/.exec(text)?.[1];
    if (id !== undefined) ids[(learned += 1) % mostIds] = id;
  } catch (error) {
    count(leaveMs === undefined ? `failed ${(error as { readonly code?: string }).code ?? String(error)}` : "left");
  }
}

const asking = ({ askUrl, tokens }: Zones, agent: string, [method, params]: readonly [string, object]): Sendable => ({
  method: "POST",
  url: `${askUrl}/a2a/${agent}/`,
  headers: { authorization: `Bearer ${tokens[0]}`, "content-type": "application/json", "a2a-version": "1.0" },
  body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
});

const messageOf = (text: string, more: object = {}): object => ({
  message: { role: "ROLE_USER", messageId: crypto.randomUUID(), parts: [{ text }], ...more },
});

/** What a program asks that grows on the other side: large answers, long lists of tasks, streams of them, replies, and cancellations. */
function largeAnswer(zones: Zones, random: Random): Sendable {
  const text = `answer ${random.pick(answerSizes)} ${random.chance(0.5) ? "as file" : ""}`;
  const [agent, id] = [random.pick(["big", "big", "builtin", "pay"]), random.pick(ids)];
  const returnImmediately = random.chance(0.5);
  const call = random.pick<readonly [string, object]>([
    ["SendMessage", { ...messageOf(text), configuration: { returnImmediately } }],
    ["SendMessage", messageOf(text, { contextId: `c${random.int(20)}` })],
    ["SendMessage", messageOf(text, { taskId: id })],
    ["SendStreamingMessage", messageOf(text)],
    ["GetTask", { id, historyLength: random.int(3) }],
    ["ListTasks", { pageSize: random.pick([1, 100]), includeArtifacts: random.chance(0.8) }],
    ["CancelTask", { id }],
    ["SubscribeToTask", { id }],
  ]);
  return asking(zones, agent, call);
}

/** Sends the bytes of a request, one a second, as long as it is let, again and again. */
async function drip(at: string, until: number): Promise<void> {
  const { port, pathname } = new URL(at);
  while (performance.now() < until) {
    const socket = connect(Number(port), "127.0.0.1").on("error", () => undefined);
    const type = "Content-Type: application/json\r\nContent-Length: 1000000";
    socket.write(`POST ${pathname} HTTP/1.1\r\nHost: localhost\r\n${type}\r\n\r\n`);
    for (let sent = 0; !socket.destroyed && !socket.readableEnded && sent < 10; sent += 1) {
      socket.write("[");
      await delay(1_000);
    }
    socket.destroy();
  }
}

/** What each sender sends, at its door's largest size, with how many at once: one token with all scopes, beside it the others. */
const senders: readonly (readonly [atOnce: number, doors: RegExp])[] = [
  [20, /^(A2A|MCP)/],
  [10, /^(GET|POST|PATCH|DELETE) \/api/],
  [4, /^POST \/api\/v1\/bulk-actions app/],
  [4, /^POST \/api\/v1\/(events|runs|schedules|workflows) app/],
  [4, /^GET \/api\/v1\/runs\/{run_id}\/events/],
  [8, /^hook/],
  [8, /^(stranger|Slack)/],
];

async function fire({ zones, seed, seconds = 0 }: LoadOrder): Promise<void> {
  const until = performance.now() + seconds * 1_000;
  let workers = 0;
  const repeat = async (next: (random: Random) => Sendable, pauseMs = 0): Promise<void> => {
    const random = createRandom(seed, (workers += 1));
    while (performance.now() < until) {
      await shoot(next(random), mannersOf(random));
      if (pauseMs > 0) await delay(pauseMs);
    }
  };
  const times = (atOnce: number, work: () => Promise<void>) => Array.from({ length: atOnce }, work);
  // Each sender has a rate limit of its own.
  const all = senders.flatMap(([atOnce, name], at) => {
    const own = doorsOf({ ...zones, tokens: [zones.tokens[at] ?? ""] }).filter((door) => name.test(door.name));
    const growths = own.map((door) => [...door.growths(mostBody)]);
    const largest = ({ at: grown, most }: Growth<Sendable>): Sendable => grown(Math.floor(most));
    return times(atOnce, () => repeat((random) => largest(random.pick(random.pick(growths)))));
  });
  const [, , , author = ""] = zones.tokens;
  const headers = { authorization: `Bearer ${author}`, "content-type": "application/json" };
  const body = JSON.stringify({ workflow_id: "rec20" });
  const slow = [`${zones.askUrl}/hooks/text`, `${zones.url}/rpc`, `${zones.verificationUrl}/slack/events`];
  const again: Sendable = { method: "POST", url: `${zones.url}/api/v1/runs`, headers, body };
  await Promise.all([
    ...all,
    ...times(40, () => repeat((random) => largeAnswer(zones, random))),
    ...slow.flatMap((at) => times(20, () => drip(at, until))),
    repeat(() => again, 5_000),
  ]);
}

/** Asks for tasks, a tenth of which wait for people. */
async function prepare({ zones, tasks = 0 }: LoadOrder): Promise<void> {
  let left = tasks;
  const worker = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const isPaid = left % 10 === 0;
      const asked = ["SendMessage", messageOf(isPaid ? "{}" : `2+${left}`)] as const;
      await shoot(asking(zones, isPaid ? "pay" : "builtin", asked));
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
