import type { ServerResponse } from "node:http";
import { openEventStream, type EventStream } from "@crosszone/service-kit";
import type { Notify } from "../methods/request-context.ts";

/**
 * An answer that becomes a stream of server-sent events with the first notification. Each event is one JSON-RPC
 * message; the last is the answer.
 */
export interface EventAnswer {
  readonly notify: Notify;
  /** Ends the stream with the answer. Returns false when no stream was started; the answer is then still to be sent. */
  end(answer: string | undefined): boolean;
}

export interface EventAnswerOptions {
  readonly correlationId: string;
  /** Aborted when the client stops reading. */
  readonly signal: AbortSignal;
}

/** Shorter than the idle timeouts of load balancers, milliseconds. */
const heartbeatMs = 15_000;

/** Without a notification, the stream starts when the first heartbeat is due. */
export function createEventAnswer(
  response: ServerResponse,
  { correlationId, signal }: EventAnswerOptions,
): EventAnswer {
  let stream: EventStream | undefined;
  const headers = ["x-correlation-id", correlationId];
  const begin = (): EventStream => (stream ??= openEventStream(response, { headers, heartbeatMs, signal }));
  const idle = setTimeout(begin, heartbeatMs);
  return {
    notify: async (message) => {
      clearTimeout(idle);
      await begin()
        .send(textOf(message))
        .catch(() => undefined);
    },
    end: (answer) => {
      clearTimeout(idle);
      if (stream === undefined) return false;
      stream.stop();
      response.end(answer === undefined ? undefined : textOf(answer));
      return true;
    },
  };
}

/** JSON has no line breaks, so the data is one line. */
const textOf = (message: string): string => `data: ${message}\n\n`;
