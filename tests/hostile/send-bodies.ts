import { isJsonRpcResponse, isZoneErrorData, type JsonRpcResponse, zoneMethods } from "@crosszone/contracts";
import { Client } from "undici";
import type { HostileBody } from "./hostile-body.ts";
import { type Expected, expectedAnswer, type Id, type OracleLimits } from "./oracle.ts";

export const oracleLimits: OracleLimits = { maxBytes: 1_048_576, maxDepth: 64 };

/** Number of connections, and of pipelined requests on each. */
const connections = 8;
const pipelining = 16;

interface BodiesRun {
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

/** Sends bodies 0 to `count` over kept connections, several at once on each. Compares each answer with the oracle's. */
export async function sendBodies({ url, path, bodyOf, count, pauses, onPause }: BodiesRun) {
  const clients = Array.from({ length: connections }, () => new Client(url, { pipelining }));
  // A refusal closes its connection with all other open requests on it.
  const alone = new Client(url, { pipelining: 1 });
  /** Number of answers by outcome: a code, `result`, `204`, or an HTTP status. */
  const tally = new Map<string, number>();
  /** The first wrong answers, and the bodies that got them. */
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

export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
}

/** Number of requests for each task id. The same id belongs to the same task, whichever request was first. */
export type Asked = Map<string, number>;

/** Counts a request. Call it before the request is sent. */
export function noteAsked(expected: Expected, asked: Asked): void {
  if (expected.type !== "called" || expected.method !== "execute_task") return;
  const key = JSON.stringify(expected.id.value);
  asked.set(key, (asked.get(key) ?? 0) + 1);
}

/** All texts that an error may have. None has a part of a request besides a number, a path or a stack. */
const sentences =
  /^(is there twice: keep one|is [\d.eE+-]{1,40}…?, which would become (null|[\d.e+-]{1,30}): send it as text|is missing( or names nothing known)?|is empty|is not a known member|must (be|have|match|NOT have) [\w ",.:<>=/^$()*+?|[\]{}!~\\-]{1,100}|the message (is|has) [\w .,"-]{1,80}|execute_task needs [\w :,]{1,120}|the request id belongs to another task|the body is larger than this server accepts|send [\w :,/]{1,60})$/;

/** Returns what is wrong with an answer, or undefined. `asked` has the counts of `noteAsked`. */
export function wrongWith(answer: HttpAnswer, expected: Expected, asked: Asked): string | undefined {
  const { status, contentType, body } = answer;
  if (expected.type === "nothing") return status === 204 && body === "" ? undefined : `${status} to a notification`;
  const right = expected.type === "refused" ? expected.status : 200;
  if (status !== right) return `HTTP ${status}, not ${right}`;
  if (contentType !== "application/json") return `the content type ${contentType}`;
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return "no JSON";
  }
  if (!isResponse(value)) return "no JSON-RPC response";
  const id = expected.type === "refused" ? { value: null, text: undefined } : expected.id;
  if (!hasId(value, body, id)) return `another id than ${JSON.stringify(id)}`;
  if (!("error" in value)) {
    if (expected.type !== "called") return "a result";
    if (!zoneMethods[expected.method].result(value.result)) return "a result of another shape";
    return undefined;
  }
  const { code, data } = value.error;
  if (!isZoneErrorData(data)) return "an error without its data";
  const wrong = data.problems?.find(({ message }) => !sentences.test(message));
  if (wrong !== undefined) return `an unknown sentence: ${wrong.message}`;
  if (expected.type === "called") {
    return errorOfCall(expected, asked) === data.kind ? undefined : `${data.kind} for a good request`;
  }
  if (code !== expected.code) return `${code}, not ${expected.code}`;
  return expected.type === "error" && data.kind !== expected.kind ? `${data.kind}, not ${expected.kind}` : undefined;
}

type Called = Extract<Expected, { type: "called" }>;

/** Returns the only error that a valid request may get. */
function errorOfCall({ method, params, id }: Called, asked: Asked): string | undefined {
  if (method === "list_agents" || method === "list_input_requests") return undefined;
  if (method === "check_token") return "unauthorized";
  if (/^(answer_input|get_input_request|claim_input_request)$/.test(method)) return "input_request_not_found";
  if (method !== "execute_task") return "task_not_found";
  const { agent } = params as { agent?: string };
  if (agent !== undefined && agent !== "builtin") return "unknown_agent";
  return (asked.get(JSON.stringify(id.value)) ?? 0) > 1 ? "invalid_params" : undefined;
}

function hasId(answer: { id: unknown }, body: string, { value, text }: Id): boolean {
  return Object.is(answer.id, value) && (text === undefined || body.endsWith(`,"id":${text}}`));
}

/** Returns whether a value is a JSON-RPC response. JavaScript reads the JSON number 1e400 as Infinity, which no validator accepts. */
function isResponse(value: unknown): value is JsonRpcResponse {
  if (typeof value !== "object" || value === null || !("id" in value)) return false;
  const endless = value.id === Infinity || value.id === -Infinity;
  return isJsonRpcResponse(endless ? { ...value, id: 0 } : value);
}
