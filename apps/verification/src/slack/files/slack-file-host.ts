import { Pool } from "undici";
import type { BotToken } from "../bot-token.ts";
import { FileRefusedError } from "./file-refusal.ts";

/** A response of Slack's file host, with its body unread. */
export interface HostAnswer {
  readonly status: number;
  /** Header names are in lower case. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Read it to the end, or abort the request's signal. Throws as `get` does. */
  readonly body: AsyncIterable<Uint8Array>;
}

/** Slack's file host. */
export interface FileHost {
  /** Scheme, host and port. The bot's token is sent only there. */
  readonly origin: string;
  /**
   * Requests a path of this origin with the bot's token. Follows no redirects. Rejects with a `FileRefusedError` when the connection fails
   * or the signal aborts.
   */
  readonly get: (path: string, signal: AbortSignal) => Promise<HostAnswer>;
}

export interface SlackFileHostOptions {
  /** `https://files.slack.com`, or the origin of the local Slack. */
  readonly origin: string;
  /** Maximum number of concurrent downloads. */
  readonly connections: number;
}

/**
 * Returns a function that makes Slack's file host for one workspace's token. All file hosts share a pool that connects only to `origin`,
 * whatever a URL says. Each connection is used once, so bytes after a wrong content length reach no other response.
 * https://docs.slack.dev/reference/objects/file-object#authentication
 */
export function createSlackFileHost({
  origin,
  connections,
}: SlackFileHostOptions): (token: BotToken["current"]) => FileHost {
  // The whole download has its own timeout.
  const pool = new Pool(origin, { connections, headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 5_000 } });
  return (token) => ({
    origin: new URL(origin).origin,
    get: async (path, signal) => {
      try {
        const headers = { authorization: `Bearer ${await token()}`, "accept-encoding": "identity" };
        const answer = await pool.request({ method: "GET", path, headers, reset: true, signal });
        return { status: answer.statusCode, headers: answer.headers, body: refusing(answer.body) };
      } catch (error) {
        throw new FileRefusedError("slack_unavailable", error);
      }
    },
  });
}

async function* refusing(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void> {
  try {
    yield* body;
  } catch (error) {
    throw new FileRefusedError("slack_unavailable", error);
  }
}
