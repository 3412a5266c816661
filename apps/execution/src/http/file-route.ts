import type { IncomingMessage, ServerResponse } from "node:http";
import { finished } from "node:stream/promises";
import { answerHeaders, answerJson, senderOf, type TokenBuckets } from "@crosszone/service-kit";
import { fileLinksPath, type FileLinks } from "../files/file-links.ts";
import { UnreadableFileError } from "../tasks/run-agent.ts";
import type { OpenedFile, OpenLinkedFile } from "../files/open-linked-file.ts";
import type { Route } from "./serve-route.ts";

export interface FileRouteDeps {
  readonly open: OpenLinkedFile;
  /** Uses up the link. */
  readonly markFetched: FileLinks["markFetched"];
  /** Rate limit per address. When absent, requests are not limited. */
  readonly addressLimit?: TokenBuckets;
}

/** The most files in memory at the same time. */
const mostAtOnce = 20;

/**
 * Serves `GET /files/<token>`: the bytes of a file of the question, for the agent that got the link. The token is the only credential. The
 * first complete download uses up the link; for one minute after it, a retry gets the file again. A link that is unknown, used up or
 * expired, or whose task has ended, is not found.
 */
export function createFileRoute({ open, markFetched, addressLimit }: FileRouteDeps): Route {
  let atOnce = 0;

  return async ({ request, response }) => {
    if (request.method !== "GET") return "not_found";
    const waitMs = addressLimit?.take(senderOf(request).address) ?? 0;
    const retryAfterMs = atOnce >= mostAtOnce ? Math.max(waitMs, 1_000) : waitMs;
    if (retryAfterMs > 0) return { reason: "too_many", retryAfterMs };

    const token = tokenOf(request);
    const gone = new AbortController();
    response.once("close", () => gone.abort());
    atOnce += 1;
    try {
      const file = await open(token, gone.signal);
      if (file === undefined) return "not_found";
      if (await send(response, file)) await markFetched(token);
      return undefined;
    } finally {
      atOnce -= 1;
    }
  };
}

function tokenOf({ url = "" }: IncomingMessage): string {
  const [path = ""] = url.split("?", 1);
  return path.slice(fileLinksPath.length);
}

/** Sends the file. Returns whether all of it was sent. */
async function send(response: ServerResponse, { mediaType, read }: OpenedFile): Promise<boolean> {
  const bytes = await read().catch((error: unknown) => {
    const message = error instanceof UnreadableFileError ? error.message : "The file can't be read right now.";
    answerJson(response, 502, JSON.stringify({ error: { message } }));
  });
  if (bytes === undefined) return false;
  const headers = ["content-type", mediaType, "content-disposition", "attachment"];
  response.writeHead(200, [...answerHeaders(response), ...headers, "content-length", String(bytes.byteLength)]);
  response.end(bytes);
  return finished(response).then(
    () => true,
    () => false,
  );
}
