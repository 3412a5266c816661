import { Client } from "undici";
import { noteAsked, wrongWith, type Asked, type HttpAnswer } from "./check-answer.ts";
import type { HostileBody } from "./hostile-body.ts";
import { expectedAnswer, type OracleLimits } from "./oracle.ts";

export const oracleLimits: OracleLimits = { maxBytes: 1_048_576, maxDepth: 64 };

/** Number of connections, and of pipelined requests on each. */
const connections = 8;
const pipelining = 16;

export interface BodiesRun {
  /** URL of the zone, without a trailing slash. */
  readonly url: string;
  /** Path of the JSON-RPC route. */
  readonly path: string;
  readonly bodyOf: (number: number) => HostileBody;
  readonly count: number;
  /** Number of pauses between the bodies, in which no request is open. */
  readonly pauses: number;
  readonly onPause: () => Promise<void>;
}

export interface BodiesResult {
  /** Number of answers by outcome: a code, `result`, `204`, or an HTTP status. */
  readonly tally: ReadonlyMap<string, number>;
  /** The first wrong answers, and the bodies that got them. */
  readonly failures: readonly string[];
}

/** Sends bodies 0 to `count` over kept connections, several at once on each. Compares each answer with the oracle's. */
export async function sendBodies({ url, path, bodyOf, count, pauses, onPause }: BodiesRun): Promise<BodiesResult> {
  const clients = Array.from({ length: connections }, () => new Client(url, { pipelining }));
  // A refusal closes its connection with all other open requests on it.
  const alone = new Client(url, { pipelining: 1 });
  const tally = new Map<string, number>();
  const failures: string[] = [];
  const asked: Asked = new Map();

  async function send(number: number, client: Client): Promise<void> {
    const { name, bytes } = bodyOf(number);
    const expected = expectedAnswer(bytes, oracleLimits);
    noteAsked(expected, asked);
    const answer = await post(expected.type === "refused" ? alone : client, path, bytes);
    const outcome = outcomeOf(answer);
    tally.set(outcome, (tally.get(outcome) ?? 0) + 1);
    const wrong = wrongWith(answer, expected, asked);
    if (wrong !== undefined && failures.length < 20)
      failures.push(`body ${number} (${name}) at ${path}: ${wrong}; ${expected.type}; ${answer.body.slice(0, 300)}`);
  }

  let next = 0;
  for (let pause = 1; pause <= pauses; pause += 1) {
    const until = Math.round((count * pause) / pauses);
    const work = async (client: Client): Promise<void> => {
      while (next < until) await send(next++, client);
    };
    await Promise.all(clients.flatMap((client) => Array.from({ length: pipelining }, () => work(client))));
    await onPause();
  }
  await Promise.all([...clients, alone].map((client) => client.close()));
  return { tally, failures };
}

async function post(client: Client, path: string, body: Uint8Array): Promise<HttpAnswer> {
  const headers = { "content-type": "application/json" };
  try {
    const response = await client.request({
      path,
      method: "POST",
      headers,
      body,
      idempotent: true,
      headersTimeout: 20_000,
    });
    const contentType = response.headers["content-type"]?.toString();
    return { status: response.statusCode, contentType, body: await response.body.text() };
  } catch (error) {
    return { status: 0, contentType: undefined, body: String(error) };
  }
}

function outcomeOf({ status, body }: HttpAnswer): string {
  if (status !== 200) return String(status);
  return /^\{"jsonrpc":"2\.0","error":\{"code":(-\d+),/.exec(body)?.[1] ?? "result";
}
