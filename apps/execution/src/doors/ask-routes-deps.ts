import type { IncomingMessage, ServerResponse } from "node:http";
import { ZoneError } from "@crosszone/contracts";
import type { Door, Emit, Exchange } from "@crosszone/service-kit";
import type { ExecutionEvent } from "@crosszone/telemetry";
import type { AskService } from "../tasks/ask/ask-service.ts";
import type { Asker } from "../tasks/ask/asker.ts";

/** The protocol of a request, by its path. */
export type AskSurface = "a2a" | "mcp";

/** The part of a door that all protocols share. `about` of an exchange is the agent that its answer is about. */
type AskDoor = Pick<Door<Asker>, "auth" | "onUse" | "limit" | "mayStill" | "refuse" | "onRefused">;

/** What a program may not do. */
export interface RejectedAct {
  /** The operation: `ask.send`. */
  readonly action: string;
  /** One of a few fixed texts; no content of the request. */
  readonly because: string;
}

/** What the routes of a protocol need. */
export interface AskRoutesDeps {
  readonly ask: AskService;
  /** Returns who may send requests of a protocol, and what is reported of others. A 401 names the metadata of the resource (RFC 9728). */
  readonly door: (surface: AskSurface) => AskDoor;
  readonly emit: Emit<ExecutionEvent>;
  /** Returns ASK_URL, or else the origin of a request. Without a slash at the end. */
  readonly publicUrl: (request: IncomingMessage) => string;
  readonly limits: { readonly maxBytes: number; readonly maxDepth: number; readonly maxWaitMs: number };
  /** The version of the zone. */
  readonly version: string;
  /** The private key that signs agent cards now, PEM. Read it for each card: its file can be replaced. */
  readonly cardKey?: string | undefined;
  /** Signs page tokens. All processes of the zone have the same. */
  readonly pageKey: Uint8Array;
  /** Records that a program may not do what it asked for. */
  readonly rejected?: (asker: Asker, surface: AskSurface, act: RejectedAct) => void;
}

/** Returns a program with what its request holds in memory until the response is written or the client is gone. */
export function holding(ask: { readonly open: AskService["open"] }, asker: Asker, response: ServerResponse): Asker {
  const one = ask.open(asker);
  if (response.destroyed) one.held?.close();
  else response.once("close", () => one.held?.close());
  return one;
}

/** Returns why a program may no longer have an answer; undefined while it may. */
export function lostRight({ lost }: Exchange): ZoneError | undefined {
  if (lost === undefined) return undefined;
  const { cause } = lost.refusal;
  return cause instanceof ZoneError ? cause : new ZoneError("unauthorized");
}
