import { openConnections } from "@crosszone/service-kit/outgoing";
import type { KnownBlock } from "@slack/web-api";
import { request } from "undici";

/** Posts answers to slash commands and presses. https://docs.slack.dev/interactivity/handling-user-interaction#message_responses */
export interface ResponseUrls {
  /**
   * Posts the reply to a slash command or a press, as Markdown with blocks below, in a thread if there is one. Only its author sees it. Retries
   * for a few seconds; rejects with a `ResponseUrlError` unless the answer has arrived.
   */
  readonly answer: (url: string, reply: string, more?: MoreOfReply) => Promise<void>;
}

interface MoreOfReply {
  readonly thread_ts?: string | undefined;
  readonly below?: readonly KnownBlock[] | undefined;
}

/** Why an answer did not arrive. Its message never contains the URL. */
export class ResponseUrlError extends Error {
  override readonly name = "ResponseUrlError";
  /** `not_slack`, an HTTP status as in `http_404`, or `unreachable`. */
  readonly code: string;

  constructor(code: string, options: { cause?: unknown } = {}) {
    super(`Slack did not accept the answer to a command: ${code}`, options);
    this.code = code;
  }
}

/** Slack accepts five answers to one command. Three attempts leave room for answers that arrived but whose response was lost. */
const tries = 3;
const firstPauseMs = 500;

/**
 * Makes the client for `response_url`. It posts only to `origin`, `https://hooks.slack.com` or that of the local Slack: a URL in a request is
 * never trusted to be Slack's. `timeoutMs` is that of one attempt.
 */
export function createResponseUrls(
  origin: string,
  sleep: (ms: number) => Promise<void>,
  timeoutMs = 5_000,
): ResponseUrls {
  const dispatcher = openConnections({ pipelining: 0, connect: { timeout: timeoutMs } });
  const send = async (url: string, body: string): Promise<void> => {
    try {
      const headers = { "content-type": "application/json; charset=utf-8" };
      const signal = AbortSignal.timeout(timeoutMs);
      const answer = await request(url, { method: "POST", headers, body, dispatcher, signal });
      await answer.body.dump({ limit: 65_536 });
      if (answer.statusCode < 200 || answer.statusCode > 299) throw new ResponseUrlError(`http_${answer.statusCode}`);
    } catch (cause) {
      throw cause instanceof ResponseUrlError ? cause : new ResponseUrlError("unreachable", { cause });
    }
  };
  return {
    answer: async (url, reply, { thread_ts, below } = {}) => {
      if (URL.parse(url)?.origin !== new URL(origin).origin) throw new ResponseUrlError("not_slack");
      const body = JSON.stringify({ ...messageOf(reply, below), thread_ts });
      for (let attempt = 1; ; attempt += 1) {
        try {
          return await send(url, body);
        } catch (error) {
          if (attempt === tries || !isPassing(error)) throw error;
          await sleep(firstPauseMs * 2 ** (attempt - 1));
        }
      }
    },
  };
}

function isPassing(error: unknown): boolean {
  return error instanceof ResponseUrlError && /^(unreachable|http_(429|5\d\d))$/.test(error.code);
}

/** `text` is used for notifications and screen readers. */
function messageOf(reply: string, below: readonly KnownBlock[] = []): object {
  const blocks = [{ type: "markdown", text: reply }, ...below];
  const hidden = { unfurl_links: false, unfurl_media: false };
  return { response_type: "ephemeral", replace_original: false, text: reply.slice(0, 3_000), blocks, ...hidden };
}
