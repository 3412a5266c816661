import { controlClient } from "../page/state/control-client.ts";
import type { ControlEvent } from "../protocol/control-api.ts";

/**
 * Reads server-sent events and yields the data of each. Comments, ids and event names are ignored; lines end with LF or CRLF. See
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#event-stream-interpretation
 */
export async function* eventData(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  const decoder = new TextDecoder();
  let buffer = "";
  let data: string[] = [];
  for await (const chunk of chunks) {
    buffer += decoder.decode(chunk, { stream: true });
    const lines = buffer.split(/\r?\n/);
    buffer = lines.pop() ?? "";
    for (const line of lines) {
      if (line.startsWith("data:")) data.push(line.slice(line[5] === " " ? 6 : 5));
      if (line !== "" || data.length === 0) continue;
      yield data.join("\n");
      data = [];
    }
  }
}

/** Thrown if the URL is unreachable or is not a local Slack. */
export class UnreachableError extends Error {
  override readonly name = "UnreachableError";
}

/** Thrown if the local Slack refuses a request; the message has the reason. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
}

/** Thrown for a message that the app would not answer; the message says why, and what to do. */
export class UnheardError extends RefusedError {}

/** The requests of the control API, and its events. */
export interface ControlClient extends ReturnType<typeof controlClient> {
  /** Resolves when the stream is open; it contains everything from then on. It ends or throws when the connection does. */
  events(signal: AbortSignal): Promise<AsyncIterable<ControlEvent>>;
}

/** Makes a client of the local Slack at `url`. Every call rejects with `UnreachableError` or `RefusedError`. */
export function createControlClient(url: string): ControlClient {
  const call = async (path: string, init: RequestInit = {}): Promise<Response> => {
    const response = await fetch(new URL(path, url), init).catch((error: unknown) => {
      throw new UnreachableError(`cannot reach ${url}`, { cause: error });
    });
    if (response.ok) return response;
    const answer = (await response.json().catch(() => undefined)) as { error?: { message?: string } } | undefined;
    if (answer?.error?.message === undefined) throw new UnreachableError(`${url} is not the local Slack`);
    throw new RefusedError(answer.error.message);
  };
  const read = async <T>(path: string, body?: object): Promise<T> => {
    const headers = { "content-type": "application/json" };
    const response = await call(path, body && { method: "POST", headers, body: JSON.stringify(body) });
    return (await response.json().catch((error: unknown) => {
      throw new UnreachableError(`${url} is not the local Slack`, { cause: error });
    })) as T;
  };
  return {
    ...controlClient(read),
    events: async (signal) => parseEvents(await call("/control/stream", { signal })),
  };
}

/** Keeps a reference to the whole response: the stream of a garbage-collected response ends if its reading has not begun. */
async function* parseEvents(response: Response): AsyncGenerator<ControlEvent> {
  if (response.body) for await (const data of eventData(response.body)) yield JSON.parse(data) as ControlEvent;
}
