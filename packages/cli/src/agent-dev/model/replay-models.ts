import type { IncomingMessage, ServerResponse } from "node:http";
import { text } from "node:stream/consumers";
import { dayOf, diffLines, readable, steadyText } from "../diff-lines.ts";
import { type LocalServer, startLocalServer } from "../wire/local-server.ts";
import { asJson } from "../wire/wire-exchange.ts";
import { cleanValue, type ModelExchange, placeOf } from "./model-exchange.ts";

/** A case that runs: its recorded model exchanges, and what went wrong with them. */
export interface ReplayedCase {
  readonly recorded: readonly ModelExchange[];
  /** Requests that no recorded one equals, as lines of text. */
  readonly unmatched: string[][];
  /** Set when a request could not be told apart from one of another case. The case has to run alone. */
  isUnsure: boolean;
}

export interface ModelReplayer extends LocalServer {
  /** Makes a case's exchanges available until `leave`. */
  readonly join: (recorded: readonly ModelExchange[]) => ReplayedCase;
  readonly leave: (replayed: ReplayedCase) => void;
}

interface Running {
  readonly replayed: ReplayedCase;
  readonly left: { readonly key: string; readonly exchange: ModelExchange; isUsed: boolean }[];
}

/**
 * Starts a server that answers model requests with the recorded responses of the cases that run. A request matches a recorded one with the
 * same steady text. The same request again gets the next recorded response, and the last one from then on.
 */
export async function replayModels(): Promise<ModelReplayer> {
  const running = new Set<Running>();

  async function replay(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const place = placeOf(request.url ?? "/");
    if (place === undefined || request.method !== "POST") return void response.writeHead(404).end();
    const sent = { ...place, request: asJson(await text(request)) };
    const key = keyOf(sent, dayOf(new Date()));
    const matches = [...running].flatMap((one) => {
      const same = one.left.filter((item) => item.key === key);
      const item = same.find(({ isUsed }) => !isUsed) ?? same.at(-1);
      return item === undefined ? [] : [{ one, item }];
    });
    const [first] = matches;
    if (first === undefined) return refuse(response, [...running], sent);
    const answers = new Set(matches.map(({ item }) => JSON.stringify([item.exchange.response, item.exchange.chunks])));
    if (answers.size > 1) for (const { one } of matches) one.replayed.isUnsure = true;
    (matches.find(({ item }) => !item.isUsed) ?? first).item.isUsed = true;
    send(response, first.item.exchange);
  }

  const server = await startLocalServer((request, response) => {
    replay(request, response).catch(() => void response.destroy());
  });
  return {
    ...server,
    join: (recorded) => {
      const replayed: ReplayedCase = { recorded, unmatched: [], isUnsure: false };
      const left = recorded.map((exchange) => ({ key: keyOf(exchange, dayOf(exchange.at)), exchange, isUsed: false }));
      running.add({ replayed, left });
      return replayed;
    },
    leave: (replayed) => {
      for (const one of running) if (one.replayed === replayed) running.delete(one);
    },
  };
}

type SentRequest = Pick<ModelExchange, "provider" | "path" | "request">;

const keyOf = ({ provider, path, request }: SentRequest, day: string): string =>
  `${provider} ${path}\n${steadyText(readable(cleanValue(request)), day)}`;

/** With several cases running, the request may be of any of them: each has to run alone. */
function refuse(response: ServerResponse, running: readonly Running[], sent: SentRequest): void {
  const recorded = running.flatMap(({ replayed }) => replayed.recorded);
  const lines = differenceOf(recorded, sent);
  for (const { replayed } of running)
    if (running.length === 1) replayed.unmatched.push([...lines]);
    else replayed.isUnsure = true;
  const message = `No recorded model request equals this one. Record it: crosszone agent test --record`;
  response.writeHead(400, { "content-type": "application/json" });
  response.end(JSON.stringify({ error: { message, type: "not_recorded" } }));
}

/** Returns what differs between a request and the recorded one that is nearest to it. */
function differenceOf(recorded: readonly ModelExchange[], sent: SentRequest): readonly string[] {
  const now = keyOf(sent, dayOf(new Date()));
  const differences = recorded.map((exchange) => diffLines(keyOf(exchange, dayOf(exchange.at)), now));
  const [nearest] = differences.toSorted((a, b) => a.length - b.length);
  return nearest ?? ["  no model request is recorded for this case", `+ ${now.split("\n", 1)[0]}`];
}

function send(response: ServerResponse, { status, content_type, response: body, chunks }: ModelExchange): void {
  response.writeHead(status, { "content-type": content_type });
  if (chunks === undefined) response.end(typeof body === "string" ? body : JSON.stringify(body));
  else {
    for (const { text: piece } of chunks) response.write(piece);
    response.end();
  }
}
