import type { IncomingMessage } from "node:http";
import type { OpenApiDocument } from "@crosszone/contracts/openapi";
import type { Sender } from "@crosszone/service-kit";
import type { TokenHolder } from "./token-holder.ts";

export type { OpenApiDocument } from "@crosszone/contracts/openapi";

/** The supported methods. HEAD is served with GET. */
export const apiMethods = ["get", "post", "patch", "delete"] as const;

/** The handlers of a path by method. Every other method is refused. */
export type ApiPath = Readonly<Partial<Record<(typeof apiMethods)[number], AnswerTo>>>;

/** A part of the API: its OpenAPI document, and handlers by the document's path templates. */
export interface ApiPart {
  readonly document: OpenApiDocument;
  readonly paths: Readonly<Record<string, ApiPath>>;
}

/** One authorized request of an admin. */
export interface ApiExchange {
  readonly request: IncomingMessage;
  /** The values of the path's `{name}` parameters, decoded. */
  readonly params: Readonly<Record<string, string>>;
  /** The path of the whole API, for `Location`. */
  readonly baseUrl: string;
  /** Empty without one. */
  readonly body: Buffer;
  readonly holder: TokenHolder;
  readonly actor: string;
  readonly correlationId: string;
  readonly from: Sender;
  /** Aborts when the client has disconnected. */
  readonly signal: AbortSignal;
  /** Whether the holder may use what `x-grant` names: an agent or workflow, or an event. Absent where nothing limits programs. */
  readonly mayUse?: MayUse | undefined;
  /** Memory for more content than a page of a list has. */
  readonly content: HeldContent;
}

export type MayUse = (kind: "agents" | "events", name: string) => boolean;

/** The content that an answer holds in memory, until its end at the latest. */
export interface HeldContent {
  /** Call it before a read of `bytes`, as stored; it holds them instead of those before. Throws `busy` while other answers hold too much. */
  readonly hold: (bytes: number) => Promise<void>;
  readonly release: () => void;
}

/** A response that is sent at once. */
export interface ApiContent {
  readonly status: 200 | 201 | 202 | 204;
  /** Sent as JSON; absent for an empty body. */
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** One server-sent event. `data` is any JSON. */
export interface ApiEvent {
  readonly event: string;
  readonly data: unknown;
  /** Sent by a reconnecting client as the last seen id. */
  readonly id?: string;
}

/** A response that is streamed: batches of events until the source ends. */
export interface ApiStream {
  /** The signal aborts when the client disconnects or the service stops; the source must end then. */
  readonly events: (signal: AbortSignal) => AsyncIterable<readonly ApiEvent[]>;
}

/** `lines`: a long text that is streamed, in pieces of any size. The source is ended when the client disconnects. */
export type ApiAnswer =
  ApiContent | ApiStream | { readonly lines: AsyncIterable<string>; readonly contentType: string };

/** Handles a request. A thrown error becomes a problem response. */
export type AnswerTo = (exchange: ApiExchange) => ApiAnswer | Promise<ApiAnswer>;
