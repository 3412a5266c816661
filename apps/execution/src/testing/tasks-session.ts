import type { Client } from "@modelcontextprotocol/client";
import { createTaskSessionFromClient } from "@modelcontextprotocol/ext-tasks/client";
import { clientInfo, forms, modernRequest, tasks } from "./modern-request.ts";
import type { TestMcp } from "./start-mcp.ts";

type Session = Parameters<typeof createTaskSessionFromClient>[1];

/** Returns a session of the official requester of the extension. Its SDK needs the requests to be sent by hand. */
export function tasksSession(
  mcp: TestMcp,
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
