import { buffer } from "node:stream/consumers";

export type Json = Readonly<Record<string, unknown>>;

interface Command {
  /** The stack of any command of the AWS SDK. */
  readonly middlewareStack: unknown;
}

interface Exchange {
  readonly request?: { body?: string };
  readonly response?: { body?: NodeJS.ReadableStream | Uint8Array };
}

type Handler = (exchange: Exchange) => Promise<Exchange>;

interface Stack {
  add: (middleware: (next: Handler) => Handler, options: Json) => void;
}

/**
 * Keeps the answer of a command as the JSON that the service sent. The SDK drops members that are newer than itself; a copy made
 * from its output would lose them. Call it before the command is sent, and the function that it returns after.
 */
export function keepJson(command: Command): () => Json {
  let json: Json = {};
  stackOf(command).add(
    (next) => async (exchange) => {
      const result = await next(exchange);
      const { response } = result;
      if (response?.body === undefined) return result;
      const bytes = response.body instanceof Uint8Array ? response.body : await buffer(response.body);
      response.body = bytes;
      if (bytes.byteLength > 0) json = parse(bytes);
      return result;
    },
    { step: "deserialize", name: "keepJson", priority: "low" },
  );
  return () => json;
}

/** Sends `body` as it is, in the place of what the SDK would write. */
export function sendJson(command: Command, body: Json): void {
  stackOf(command).add(
    (next) => (exchange) => {
      if (exchange.request) exchange.request.body = JSON.stringify(body);
      return next(exchange);
    },
    { step: "build", name: "sendJson", priority: "high" },
  );
}

/** All members but those that are named. */
export const without = (json: Json, names: ReadonlySet<string>): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => !names.has(name)));

const stackOf = (command: Command): Stack => command.middlewareStack as Stack;

function parse(bytes: Uint8Array): Json {
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as Json;
  } catch {
    // An error page of something in between: the SDK says so.
    return {};
  }
}
