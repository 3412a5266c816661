import type { IncomingMessage } from "node:http";
import { isIP, SocketAddress } from "node:net";
import proxyAddr from "proxy-addr";
import { z } from "zod";
import type { HeldBytes } from "./byte-budget.ts";

/** Returns the token of an `authorization` header (RFC 6750 §2.1); undefined if it has none. */
export function readBearer(authorization: string | undefined): string | undefined {
  if (authorization === undefined) return undefined;
  // The common spelling needs no regular expression.
  if (authorization.startsWith("Bearer ") && authorization.indexOf(" ", 7) === -1)
    return authorization.length > 7 ? authorization.slice(7) : undefined;
  return /^Bearer (\S+)$/i.exec(authorization)?.[1];
}

const utf8Charset = /^charset *= *"?(utf-?8|us-ascii)?"?$/i;

/**
 * Whether a body may be read: of one of these media types, in UTF-8, of which ASCII is a part, and not compressed: nothing here decompresses, so
 * no body can expand. `+json` is every type that ends so, and the empty text a body without a type.
 */
export function isReadableType({ headers }: IncomingMessage, types: readonly string[]): boolean {
  const { "content-type": given = "", "content-encoding": coding = "identity" } = headers;
  // Almost every body has this form.
  if (given === types[0] && coding === "identity") return true;
  const [type = "", ...parameters] = given.split(";").map((part) => part.trim().toLowerCase());
  const isNamed = types.some((one) => (one.startsWith("+") ? type.endsWith(one) : type === one));
  const isUtf8 = parameters.every((one) => !/^charset *=/.test(one) || utf8Charset.test(one));
  return isNamed && isUtf8 && /^(identity)?$/i.test(coding.trim());
}

/** The body was too large, the client disconnected before its end, or it held more than there is room for. */
export type BodyFailure = "too_large" | "aborted" | "no_room";

/**
 * Reads a request's body into one buffer of at most `maxBytes`. The answer can still be sent if the body is too large. `held` counts the bytes
 * as they arrive, so that a declared length claims nothing; the caller closes it. Used instead of `express.json()`, which parses before the
 * protocol can answer and costs about as much as the whole dispatch.
 */
export function readBody(request: IncomingMessage, maxBytes: number, held?: HeldBytes): Promise<Buffer | BodyFailure> {
  return new Promise((resolve) => {
    // The client may have disconnected earlier; no event would report it now.
    if (request.destroyed) return resolve("aborted");
    if (Number(request.headers["content-length"] ?? 0) > maxBytes) return resolve("too_large");
    const bytes = gatherBytes();
    // An idle connection keeps its last request, which must not keep the body.
    const settle = (body: Buffer | BodyFailure): void => {
      request.off("data", add).off("end", end).off("close", close);
      resolve(body);
    };
    const stop = (failure: BodyFailure): void => {
      request.pause();
      settle(failure);
    };
    const add = (chunk: Buffer): void => {
      if (bytes.add(chunk) > maxBytes) return stop("too_large");
      const mayGoOn = held?.arrived(chunk.length) ?? true;
      if (mayGoOn === true) return;
      if (mayGoOn === false) return stop("no_room");
      request.pause();
      void mayGoOn.then((may) => (may ? request.resume() : stop("no_room")));
    };
    const end = (): void => {
      held?.whole();
      settle(bytes.whole());
    };
    // A disconnect is an `error` only for error listeners, but always closes the request.
    const close = (): void => settle("aborted");
    request.on("data", add).on("end", end).on("close", close);
  });
}

/** Reads a body to its end, or until it is larger than `maxBytes`; the rest is not read. */
export async function readAtMost(body: AsyncIterable<Uint8Array>, maxBytes: number): Promise<Buffer | "too_large"> {
  const bytes = gatherBytes();
  for await (const chunk of body) {
    if (bytes.add(chunk) > maxBytes) return "too_large";
  }
  return bytes.whole();
}

/** Chunks smaller than this on average are merged, because each costs about this much memory. */
const smallPiece = 256;
const manyPieces = 16;

/**
 * Collects chunks. Uses at most twice the memory of the bytes. A list of chunks would cost a hundred times as much if a sender makes each
 * chunk of HTTP one byte long. https://www.rfc-editor.org/rfc/rfc9112#section-7.1
 * `add` returns the total number of bytes. `whole` returns a single chunk as it is; several are copied to a new buffer.
 */
export function gatherBytes(): { readonly add: (piece: Uint8Array) => number; readonly whole: () => Buffer } {
  let pieces: Uint8Array[] = [];
  let size = 0;
  return {
    add: (piece) => {
      pieces.push(piece);
      size += piece.length;
      if (pieces.length > manyPieces && pieces.length * smallPiece > size) pieces = [Buffer.concat(pieces, size)];
      return size;
    },
    whole: () => {
      const [first] = pieces;
      return pieces.length === 1 && Buffer.isBuffer(first) ? first : Buffer.concat(pieces, size);
    },
  };
}

/** Where a request comes from. Data of a stranger: it grants nothing. */
export interface Sender {
  /** The IP address: IPv4 as four numbers, also where the socket is IPv6. `unknown` if the client has disconnected. */
  readonly address: string;
  /** The start of the `user-agent` header, in printable ASCII; other characters are escaped. `none` without the header. */
  readonly client: string;
  /** The name of the person whose session sent it. It identifies no one. */
  readonly name?: string | undefined;
}

const trusted: unique symbol = Symbol("trusted proxies");
const sender: unique symbol = Symbol("sender");
type Addressed = IncomingMessage & { [trusted]?: ReturnType<typeof proxyAddr.compile>; [sender]?: Sender };

/** Returns a function that marks the requests of a server whose proxies are trusted. Throws for a text that is no address or subnet. */
export function createTrustProxies(proxies: readonly string[]): (request: IncomingMessage) => void {
  if (proxies.length === 0) return () => undefined;
  const isTrusted = proxyAddr.compile([...proxies]);
  return (request: Addressed) => void (request[trusted] = isTrusted);
}

/** An address or subnet of a proxy, as `createTrustProxies` reads it. */
export function proxyAddress(): z.ZodType<string, string> {
  const compiles = (proxy: string): boolean => {
    try {
      return proxyAddr.compile([proxy]) !== undefined;
    } catch {
      return false;
    }
  };
  return z
    .string()
    .refine(compiles, { error: "it is not an IP address or subnet" })
    .describe("an IP address, a subnet such as 10.0.0.0/8, or loopback, linklocal or uniquelocal");
}

const mostOfClient = 200;

/**
 * Returns the sender of a request. `X-Forwarded-For` is read from its end, and each hop is believed only if a trusted proxy names it. So the
 * address is the last one that no trusted proxy has.
 */
export const senderOf = (request: Addressed): Sender => (request[sender] ??= readSender(request));

function readSender(request: Addressed): Sender {
  const { [trusted]: isTrusted, headers, socket } = request;
  const { remoteAddress = "" } = socket;
  const hops = isTrusted === undefined ? [remoteAddress] : proxyAddr.all(request, isTrusted);
  // What a proxy could not name is no address; then the proxy is the sender.
  const address = hops.map(plainAddress).findLast((hop) => hop !== undefined) ?? "unknown";
  const escaped = headers["user-agent"]?.replaceAll(/[^\x20-\x7e]|\\/g, escapeOf).slice(0, mostOfClient);
  return { address, client: escaped?.trim() || "none" };
}

const escapeOf = (character: string): string => `\\x${character.charCodeAt(0).toString(16).padStart(2, "0")}`;

/** Some proxies add the port. The zone of a link-local address names an interface of this machine. */
function plainAddress(hop = ""): string | undefined {
  const address = hop.replace(/^\[(.+)\](:\d+)?$|^([\d.]+):\d+$|%.*$/, "$1$3");
  if (isIP(address) !== 6) return isIP(address) === 4 ? address : undefined;
  return new SocketAddress({ address, family: "ipv6" }).address.replace(/^::ffff:(?=\d+\.)/, "");
}
