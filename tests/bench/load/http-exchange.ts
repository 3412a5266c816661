import { idPlace } from "../messages.ts";

/** A request of the load: HTTP header and body in one buffer, and where its id stands. */
export interface RequestTemplate {
  bytes: Buffer;
  idAt: number;
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
  status: number;
  body: string;
}

/**
 * Reads an HTTP answer of a known length; `undefined` while more has to come. `text` has one character a byte. Throws for
 * what does not say its length.
 */
export function readHttpAnswer(text: string): HttpAnswer | undefined {
  const headerEnd = text.indexOf("\r\n\r\n");
  if (headerEnd === -1) return undefined;
  const length = /\r\ncontent-length: ?(\d+)/i.exec(text)?.[1];
  if (length === undefined) throw new Error(`an answer without content-length: ${text.slice(0, 200)}`);
  const body = text.slice(headerEnd + 4);
  if (body.length < Number(length)) return undefined;
  return { status: Number(text.slice(9, 12)), body };
}
