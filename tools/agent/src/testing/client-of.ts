import type { AgentServer } from "../create-agent.ts";

/** JSON as tests read it. */
// oxlint-disable-next-line typescript/no-explicit-any -- tests read members that a type would have to repeat
export type Json = any;

const origin = "http://agent.test";
let messageCount = 0;

/** A message of a version with one text. */
export function messageOf(text: string, members: object = {}): object {
  return { role: "ROLE_USER", messageId: `m${++messageCount}`, parts: [{ text }], ...members };
}

/** Sends requests to an agent through its Fetch door, in A2A 1.0. */
export function clientOf({ fetch }: Pick<AgentServer, "fetch">, headers: Record<string, string> = {}) {
  const post = (body: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}): Promise<Response> =>
    fetch(
      new Request(`${origin}/`, {
        method: "POST",
        body,
        headers: { "content-type": "application/json", "a2a-version": "1.0", ...headers, ...more },
      }),
    );
  const open = (method: string, params: object): Promise<Response> =>
    post(JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }));
  const call = async (method: string, params: object): Promise<Json> => await (await open(method, params)).json();
  const send = async (
    text: string,
    { message = {}, ...params }: { message?: object; configuration?: object } = {},
  ): Promise<Json> => (await call("SendMessage", { message: messageOf(text, message), ...params })).result.task;
  const stream = async (text: string, message: object = {}): Promise<Json[]> =>
    readEvents(await open("SendStreamingMessage", { message: messageOf(text, message) }));
  const get = (path: string, more: Record<string, string> = {}): Promise<Response> =>
    fetch(new Request(origin + path, { headers: more }));
  return { post, open, call, send, stream, get };
}

/** The results of a stream, in order. */
export async function readEvents(response: Response): Promise<Json[]> {
  const text = await response.text();
  return [...text.matchAll(/^data: (.*)$/gm)].map(([, json = ""]) => JSON.parse(json).result);
}

/** Starts a task without waiting for it. */
export const atOnce = { configuration: { returnImmediately: true } };
