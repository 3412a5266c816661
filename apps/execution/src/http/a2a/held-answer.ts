import type { ServerResponse } from "node:http";
import { answerHeaders } from "@crosszone/service-kit";
import { answerWith, type ErrorAnswer } from "./a2a-exchange.ts";

/** How often an answer that is held sends a byte, milliseconds. Many proxies close a connection that is silent for a minute. */
export const holdMs = 15_000;

export interface HeldAnswer {
  /** Keeps the connection open from now on. */
  readonly hold: () => void;
  /** Ends the answer. Its status is 200 when the answer was held. */
  readonly end: (answered: ErrorAnswer) => void;
}

/**
 * Opens an answer in JSON that takes its time: after a while it sends line breaks, which JSON allows before a value.
 * https://www.rfc-editor.org/rfc/rfc8259#section-2
 */
export function openHeldAnswer(response: ServerResponse, headers: readonly string[]): HeldAnswer {
  let timer: NodeJS.Timeout | undefined;
  const sendByte = (): void => {
    if (!response.headersSent)
      response.writeHead(200, ["content-type", "application/json", ...answerHeaders(response), ...headers]);
    response.write("\n");
  };
  response.once("close", () => clearInterval(timer));
  return {
    hold: () => void (timer = setInterval(sendByte, holdMs)),
    end: (answered) => {
      clearInterval(timer);
      if (response.destroyed) return;
      if (response.headersSent) response.end(answered.body);
      else answerWith(response, answered);
    },
  };
}
