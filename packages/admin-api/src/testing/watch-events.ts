import { onTestFinished } from "vitest";
import { adminToken } from "./start-admin-api.ts";

/** A block of a stream: its fields by name, a comment under the empty name. */
export type EventBlock = Readonly<Record<string, string>>;

export interface WatchedEvents {
  readonly status: number;
  readonly headers: Headers;
  /** Yields the blocks until the stream ends. */
  readonly blocks: AsyncGenerator<EventBlock, void>;
  /** Disconnects. */
  readonly leave: () => void;
}

/** Opens a stream of server-sent events, as a browser does. It is closed with the test at the latest. */
export async function watchEvents(url: string, headers: Record<string, string> = {}): Promise<WatchedEvents> {
  const leaving = new AbortController();
  onTestFinished(() => leaving.abort());
  const response = await fetch(url, {
    headers: { authorization: `Bearer ${adminToken}`, accept: "text/event-stream", ...headers },
    signal: leaving.signal,
  });
  const { status, body } = response;
  return { status, headers: response.headers, blocks: blocksOf(body), leave: () => leaving.abort() };
}

async function* blocksOf(body: Response["body"]): AsyncGenerator<EventBlock, void> {
  let text = "";
  for await (const piece of (body ?? new ReadableStream()).pipeThrough(new TextDecoderStream())) {
    const blocks = (text + piece).split("\n\n");
    text = blocks.pop() ?? "";
    for (const block of blocks) yield Object.fromEntries(block.split("\n").map((line) => line.split(/: ?(.*)/s, 2)));
  }
}
