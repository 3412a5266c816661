import type { Client } from "@modelcontextprotocol/client";
import { createTaskSessionFromClient } from "@modelcontextprotocol/ext-tasks/client";
import type { AskedZone } from "./start-asked-zone.ts";

const clientInfo = { name: "by-hand", version: "1" };
export const tasks = { extensions: { "io.modelcontextprotocol/tasks": {} } };
export const forms = { elicitation: { form: {} } };

interface ModernAnswer {
  readonly result?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string };
}

interface ModernRequest {
  readonly method: string;
  readonly params: object;
  /** What the client can do. */
  readonly can?: object;
  readonly signal?: AbortSignal;
}

/** Returns a request of version 2026-07-28, and its headers. */
export function modernMessage({ method, params, can = {} }: ModernRequest): [object, Record<string, string>] {
  const { name, taskId, _meta } = params as {
    readonly name?: string;
    readonly taskId?: string;
    readonly _meta?: object;
  };
  const meta = {
    ..._meta,
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": clientInfo,
    "io.modelcontextprotocol/clientCapabilities": can,
  };
  const message = { jsonrpc: "2.0", id: 1, method, params: { ...params, _meta: meta } };
  const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": method, "mcp-name": name ?? taskId ?? "" };
  return [message, headers];
}

/** Sends such a request by hand, as a program. */
export async function modernRequest(
  mcp: Pick<AskedZone, "post">,
  program: string,
  request: ModernRequest,
): Promise<ModernAnswer> {
  const [message, headers] = modernMessage(request);
  const response = await mcp.post(program, message, { headers, signal: request.signal });
  const text = await response.text();
  // The last event is the response.
  const data = text.startsWith("{")
    ? text
    : text
        .split("\n")
        .findLast((line) => line.startsWith("data: {"))
        ?.slice(6);
  return JSON.parse(data ?? "null") as ModernAnswer;
}

type Session = Parameters<typeof createTaskSessionFromClient>[1];

/** Returns a session of the official requester of the extension. Its SDK needs the requests to be sent by hand. */
export function tasksSession(
  mcp: AskedZone,
  client: Client,
  { program, onInputRequest }: { readonly program: string } & Pick<Session, "onInputRequest">,
) {
  const clientCapabilities = { ...tasks, ...(onInputRequest && forms) };
  return createTaskSessionFromClient(client, {
    endpointId: "crosszone",
    ...(onInputRequest && { onInputRequest }),
    v2RequestFraming: { protocolVersion: "2026-07-28", clientInfo, clientCapabilities },
    rawDispatch: async (request, options) => {
      const { method, params } = request as { readonly method: string; readonly params: object };
      const signal = options?.signal;
      const answer = await modernRequest(mcp, program, {
        method,
        params,
        can: clientCapabilities,
        ...(signal && { signal }),
      });
      if (answer.error) return { kind: "error", error: answer.error };
      return { kind: "result", result: answer.result as never };
    },
  });
}
