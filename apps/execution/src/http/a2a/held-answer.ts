import type { ServerResponse } from "node:http";
import type { StreamEvent } from "@crosszone/a2a";
import { answerHeaders, openEventStream } from "@crosszone/service-kit";
import { answerWith, type ErrorAnswer } from "./a2a-exchange.ts";
import type { IdentifiedEvent } from "./stream-task.ts";

/** How often an answer that is held sends a byte, milliseconds. Many proxies close a connection that is silent for a minute. */
export const holdMs = 15_000;

/**
 * Opens an answer in JSON that takes its time: after a while it sends line breaks, which JSON allows before a value.
 * https://www.rfc-editor.org/rfc/rfc8259#section-2
 */
export function openHeldAnswer(response: ServerResponse, headers: readonly string[]) {
  let timer: NodeJS.Timeout | undefined;
  const sendByte = (): void => {
    if (!response.headersSent)
      response.writeHead(200, ["content-type", "application/json", ...answerHeaders(response), ...headers]);
    response.write("\n");
  };
  response.once("close", () => clearInterval(timer));
  return {
    /** Keeps the connection open from now on. */
    hold: (): void => void (timer = setInterval(sendByte, holdMs)),
    /** Ends the answer. Its status is 200 when the answer was held. */
    end: (answered: ErrorAnswer): void => {
      clearInterval(timer);
      if (response.destroyed) return;
      if (response.headersSent) response.end(answered.body);
      else answerWith(response, answered);
    },
  };
}

/** Sends events as Server-Sent Events, each when the client has taken the one before. Rejects when there is no first event. */
export async function sendEvents(
  response: ServerResponse,
  events: AsyncGenerator<IdentifiedEvent, void>,
  {
    headers,
    signal,
    write,
    fail,
  }: {
    readonly headers: readonly string[];
    /** Aborts when the client disconnects. */
    readonly signal: AbortSignal;
    readonly write: (event: StreamEvent) => string;
    /** Returns the JSON-RPC response for an error in the stream. */
    readonly fail: (error: unknown) => string;
  },
): Promise<void> {
  let next: IteratorResult<IdentifiedEvent, void> | undefined = await events.next();
  const stream = openEventStream(response, { headers, heartbeatMs: holdMs, signal });
  try {
    while (next.done !== true && !signal.aborted) {
      await stream.send(`id: ${next.value.id}\ndata: ${write(next.value.event)}\n\n`);
      // Its content isn't kept while the next event is waited for.
      next = undefined;
      next = await events.next();
    }
  } catch (error) {
    if (!signal.aborted) await stream.send(`data: ${fail(error)}\n\n`);
  } finally {
    stream.stop();
    await events.return();
    response.end();
  }
}
