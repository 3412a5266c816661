import { harmless, harmlessJson } from "../../output/harmless.ts";
import { readAnswer } from "../wire/conversations.ts";
import { requestLine, responseLine } from "../wire/exchange-lines.ts";
import { isSend, methodOf, type OnWire, type WireEvent, type WireExchange } from "../wire/wire-exchange.ts";

export interface WireDisplay {
  readonly onWire: OnWire;
  /** Turns whole JSON on or off; returns whether it is on. */
  readonly toggle: () => boolean;
}

/** Shows exchanges as lines: compact ones, in which repeated polls and pieces of a stream are left out, or whole JSON. */
export function createWireDisplay(write: (line: string) => void, startsWhole: boolean): WireDisplay {
  let isWhole = startsWhole;
  let lastState = "";
  const pieces = new Map<number, number>();

  function showState(exchange: WireExchange, data: unknown, at_ms: number | undefined): void {
    const line = responseLine(exchange, data, at_ms);
    const state = line.replace(/^← \d+ /, "").replace(/ \(\d+ ms\)$/, "");
    const isPoll = !isSend(exchange) && state === lastState;
    lastState = state;
    if (!isPoll || isWhole) write(line);
  }

  function showEvent(exchange: WireExchange, { data, at_ms }: WireEvent): void {
    const isPiece = /^← \d+ artifact\b/.test(responseLine(exchange, data, at_ms));
    const count = (pieces.get(exchange.n) ?? 0) + 1;
    if (isPiece) pieces.set(exchange.n, count);
    if (!isPiece || count === 1 || isWhole) showState(exchange, data, at_ms);
    if (isWhole) write(harmlessJson(data));
  }

  function showEnd(exchange: WireExchange): void {
    const { n, events, response, duration_ms } = exchange;
    const count = pieces.get(n) ?? 0;
    pieces.delete(n);
    if (count > 1 && !isWhole) write(`← ${n} … ${count - 1} more pieces (${duration_ms} ms)`);
    if (events === undefined) showState(exchange, response, duration_ms);
    if (isWhole && events === undefined && response !== undefined) write(harmlessJson(response));
    if (!isSend(exchange) && !/get|subscribe/i.test(methodOf(exchange) ?? "")) return;
    const read = readAnswer(exchange);
    if (!("remoteId" in read) && exchange.problem === undefined) write(answerLines(read));
  }

  return {
    onWire: (what, exchange, event) => {
      if (what === "request") {
        if (isSend(exchange) || isWhole) write(requestLine(exchange));
        if (isWhole) write(harmlessJson(exchange.request));
      } else if (what === "event" && event !== undefined) showEvent(exchange, event);
      else showEnd(exchange);
    },
    toggle: () => (isWhole = !isWhole),
  };
}

/** The answer as people read it, indented. */
function answerLines({
  state,
  text,
  data,
  files,
}: Exclude<ReturnType<typeof readAnswer>, { remoteId: string }>): string {
  const head = state === "completed" ? [] : [`[${state}]`];
  const lines = [
    ...head,
    ...(text === "" ? [] : [text]),
    ...data.map((value) => JSON.stringify(value)),
    ...files.map(({ name, media_type }) => `File: ${name} (${media_type})`),
  ];
  return harmless(lines.join("\n")).replaceAll(/^/gm, "    ");
}
