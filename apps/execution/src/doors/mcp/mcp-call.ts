import { hopsMeta } from "@crosszone/assistant";
import {
  CLIENT_CAPABILITIES_META_KEY,
  type ClientCapabilities,
  type ServerContext,
} from "@modelcontextprotocol/server";
import type { AskService } from "../../tasks/ask/ask-service.ts";
import type { Asker, AskRequest } from "../../tasks/ask/asker.ts";

export const tasksExtension = "io.modelcontextprotocol/tasks";

/** What the client of a call can do. Versions before 2026-07-28 declare it in a session, which this server doesn't have. */
export interface McpClient {
  /** Whether it takes a task instead of a result. */
  readonly tasks: boolean;
  /** Whether it asks its person for input. */
  readonly elicits: boolean;
  /** Whether it opens links for its person. */
  readonly opensLinks: boolean;
  /** Sends a progress message. Absent if the client wants none. */
  readonly progress?: ((message: string) => void) | undefined;
  /** Aborts when the client stops waiting. */
  readonly signal: AbortSignal;
}

/** One call of a program, and what answers it. */
export interface McpCall {
  readonly ask: AskService;
  readonly request: AskRequest;
  readonly asker: Asker;
  readonly client: McpClient;
  /** How often the question was passed on before. */
  readonly hops: number;
  /** Returns a signal that aborts with a `ZoneError` when the program may no longer ask this agent; undefined where grants never change. */
  readonly whileGranted: (agent: string) => AbortSignal;
  /** How long a response is held without progress messages, milliseconds: less than the time-outs of common clients and proxies. */
  readonly holdMs: number;
}

/** Returns how often the question of a request was passed on; 0 unless it says so. */
export function hopsOf({ mcpReq }: ServerContext): number {
  const { _meta } = mcpReq;
  const hops = _meta?.[hopsMeta];
  return typeof hops === "number" && Number.isSafeInteger(hops) && hops > 0 ? hops : 0;
}

/** Returns what the client of a request has declared. */
export function clientOf({ mcpReq }: ServerContext): McpClient {
  const { envelope, signal, _meta } = mcpReq;
  const sent: Readonly<Record<string, unknown>> = envelope ?? {};
  const { elicitation, extensions } = (sent[CLIENT_CAPABILITIES_META_KEY] ?? {}) as ClientCapabilities;
  const token = _meta?.progressToken;
  let progress = 0;
  const send = (message: string): void => {
    progress += 1;
    const params = { progressToken: token ?? "", progress, message };
    // The client may have disconnected.
    mcpReq.notify({ method: "notifications/progress", params }).catch(() => undefined);
  };
  return {
    tasks: extensions?.[tasksExtension] !== undefined,
    // Without a mode it means forms.
    opensLinks: elicitation?.url !== undefined,
    elicits: elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined),
    progress: token === undefined ? undefined : send,
    signal,
  };
}
