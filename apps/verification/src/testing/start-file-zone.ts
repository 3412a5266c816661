import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import { createFileRoute, type FileEnd, type FileRouteDeps } from "../edge/files/file-route.ts";
import { createSlackFileHost } from "../slack/files/slack-file-host.ts";
import { createHandles, type Handles } from "../zone-link/handles/handles.ts";
import { createSqlHandleStore } from "../zone-link/handles/sql-handle-store.ts";
import type { SlackFileInfo } from "../slack/slack-api.ts";
import { createFakeSlack, type FakeSlack } from "./fake-slack.ts";
import { openTestDatabase } from "./test-inbox.ts";

export const botToken = "xoxb-1-2-the-real-token";

export interface FileZone {
  readonly slack: FakeSlack;
  readonly handles: Handles;
  /** The origin of Slack's files. */
  readonly origin: string;
  /** The requests to Slack's file host. */
  readonly asked: { url: string; authorization: string | undefined; headers: IncomingHttpHeaders }[];
  readonly ends: FileEnd[];
  /** Adds a file that is shared in `C1`, with the file host's response for it. */
  file(answer: (response: ServerResponse) => void, info?: Partial<SlackFileInfo>): string;
  /** Reads a file, by default with a new handle for it in `C1`. */
  read(
    id: string,
    more?: { handle?: string; channel?: string; method?: string; signal?: AbortSignal },
  ): Promise<Response>;
}

/** Starts the file route on a real server, connected to a scripted file host; only the Web API is faked. */
export async function startFileZone(
  limits: Partial<FileRouteDeps["limits"] & { maxBytes: number }> = {},
): Promise<FileZone> {
  const slack = createFakeSlack();
  const asked: FileZone["asked"] = [];
  const ends: FileEnd[] = [];
  const answers = new Map<string, (response: ServerResponse) => void>();
  const origin = await serve((request, response) => {
    const { url = "", headers } = request;
    asked.push({ url, authorization: headers.authorization, headers });
    const answer = answers.get(url.split("/").at(-1) ?? "");
    if (answer !== undefined && headers.authorization === `Bearer ${botToken}`) answer(response);
    else response.writeHead(200, { "content-type": "text/html" }).end("<!DOCTYPE html><html>Sign in</html>");
  });
  const store = createSqlHandleStore(await openTestDatabase(), { now: Date.now });
  const handles = createHandles({ store, now: Date.now, ttlMs: 60_000 });
  const all = { timeoutMs: 5_000, maxReads: 100, maxAtOnce: 10, maxBytes: 100_000, ...limits };
  const fileHost = createSlackFileHost({ origin, connections: 10 })(() => botToken);
  const route = createFileRoute({
    handles,
    linkOf: async () => ({ slack, fileHost }),
    rules: { types: ["text/*", "image/png", "application/json"], maxBytes: all.maxBytes },
    limits: all,
    onEnd: (end) => ends.push(end),
  });
  const url = await serve((request, response) => void route(request, response));

  return {
    slack,
    handles,
    origin,
    asked,
    ends,
    file: (answer, info = {}) => {
      const id = `F${slack.files.size + 1}`;
      answers.set(id, answer);
      slack.files.set(id, {
        mime_type: "text/plain",
        external: false,
        url: `${origin}/files-pri/T1-${id}/download/${id}`,
        shared_in: ["C1"],
        ...info,
      });
      return id;
    },
    read: async (id, { handle, channel = "C1", method = "GET", signal } = {}) => {
      const grant = { request_id: "r1", correlation_id: "c1", team_id: "T1", channel, file_ids: [id] };
      const authorization = `Bearer ${handle ?? (await handles.issue(grant))}`;
      return fetch(`${url}/files/${id}`, { method, headers: { authorization }, ...(signal && { signal }) });
    },
  };
}

async function serve(listener: Parameters<typeof createServer>[1] & {}): Promise<string> {
  const server: Server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
