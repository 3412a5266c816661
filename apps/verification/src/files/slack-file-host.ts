import { Pool } from "undici";
import type { BotToken } from "../slack/bot-token.ts";
import type { FileHost } from "./file-host.ts";
import { FileRefusedError } from "./file-refusal.ts";

export interface SlackFileHostOptions {
  /** `https://files.slack.com`, or where the local Slack is. */
  readonly origin: string;
  /** How many files are fetched at the same time at most. */
  readonly connections: number;
}

/**
 * Gives the function that makes Slack's file host for the token of one workspace. All go through a pool that can connect to that one origin only, whatever a URL says. A connection is used once: what
 * comes behind a length that lies is nobody's answer.
 * https://docs.slack.dev/reference/objects/file-object#authentication
 */
export function createSlackFileHost({
  origin,
  connections,
}: SlackFileHostOptions): (token: BotToken["current"]) => FileHost {
  // The whole download has a limit of its own.
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
