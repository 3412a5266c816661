import type { Socket } from "node:net";
import { idPlace } from "./messages.ts";

/** A request of the load: HTTP header and body in one buffer, and the place of its id. */
export interface RequestTemplate {
  readonly bytes: Buffer;
  readonly idAt: number;
}

/** Writes a POST over HTTP/1.1 by hand, so that sending one costs a memory write and a system call. */
export function requestTemplate(url: URL, headers: Readonly<Record<string, string>>, body: string): RequestTemplate {
  const lines = [
    `POST ${url.pathname} HTTP/1.1`,
    `host: ${url.host}`,
    "content-type: application/json",
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${Buffer.byteLength(body)}`,
  ];
  const bytes = Buffer.from(`${lines.join("\r\n")}\r\n\r\n${body}`);
  return { bytes, idAt: bytes.indexOf(idPlace) };
}

export interface HttpAnswer {
  readonly status: number;
  readonly body: string;
}

/** Reads an answer of a known length, one character a byte; `undefined` while it is incomplete. Throws when it has no length. */
function readHttpAnswer(text: string): HttpAnswer | undefined {
  const headerEnd = text.indexOf("\r\n\r\n");
  if (headerEnd === -1) return undefined;
  const length = /\r\ncontent-length: ?(\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without content-length: ${text.slice(0, 200)}`);
  const body = text.slice(headerEnd + 4);
  return body.length < Number(length) ? undefined : { status: Number(text.slice(9, 12)), body };
}

/** Receives each answer, the id of its request, and its duration in milliseconds. Returns whether to send another one. */
export type OnAnswer = (answer: HttpAnswer, id: string, ms: number) => boolean;

/** Sends one request at a time, the next as soon as the last answer was checked. */
export async function keepBusy(socket: Socket, template: RequestTemplate, onAnswer: OnAnswer): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const message = Buffer.from(template.bytes);
  let [id, received, sentAt] = ["", "", 0];

  const send = (): void => {
    id = nextId();
    message.write(id, template.idAt, "latin1");
    received = "";
    sentAt = performance.now();
    socket.write(message);
  };
  const receive = (chunk: Buffer): void => {
    received += chunk.toString("latin1");
    try {
      const answer = readHttpAnswer(received);
      if (answer === undefined) return;
      if (onAnswer(answer, id, performance.now() - sentAt)) send();
      else resolve();
    } catch (error) {
      reject(error);
    }
  };
  const closed = (): void => reject(new Error("the server closed a connection"));

  socket.on("data", receive).once("close", closed).once("error", reject);
  send();
  await promise.finally(() => socket.off("data", receive).off("close", closed).off("error", reject));
}

let sent = 0;

/** A UUID that this process has not sent yet. */
const nextId = (): string => `5b0e2a9c-0000-4000-8000-${(sent++).toString(16).padStart(12, "0")}`;
