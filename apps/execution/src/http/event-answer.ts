import type { ServerResponse } from "node:http";
import { openEventStream, type EventStream } from "@crosszone/service-kit";
import type { Notify } from "../methods/request-context.ts";

/** An answer that becomes a stream of server-sent events with the first notification. Each is one JSON-RPC message; the last is the answer. */
export interface EventAnswer {
  readonly notify: Notify;
  /** Ends the stream with the answer. False when none was begun: then the answer is still to be sent. */
  end(answer: string | undefined): boolean;
}

export interface EventAnswerOptions {
  readonly correlationId: string;
  /** Aborted when nobody reads any more. */
  readonly signal: AbortSignal;
}

/** Below the idle times of load balancers, milliseconds. */
const heartbeatMs = 15_000;

/** A stream is begun without a notification too, when there is none for so long that a heartbeat is due. */
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
