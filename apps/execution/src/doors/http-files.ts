import { isReadableOnTheWay, readAtMost } from "@crosszone/service-kit";
import { ownMember, plainJson } from "@crosszone/service-kit/json";
import { openConnections } from "@crosszone/service-kit/outgoing";
import type { Dispatcher } from "undici";
import { type GrantFiles, UnreadableFileError } from "../tasks/task-files.ts";

/** Refuses every file and says who can change that. For a zone without VERIFICATION_URL: the doctor names the variable. */
export const noFiles: GrantFiles = () => async () => {
  throw new UnreadableFileError("I can't read files here. The people who run this service can change that.");
};

interface HttpFilesOptions {
  /** The URL of the verification zone. `http:` only on this machine. */
  readonly url: string;
  /** Largest file, bytes. */
  readonly maxBytes: number;
  /** Timeout per file, milliseconds. */
  readonly timeoutMs: number;
}

/** The form of verification's handles. Slack's own token is never sent. */
const handleForm = /^czh_[\w-]{43}$/;
const idForm = /^[A-Za-z0-9]{1,64}$/;

/**
 * Reads files from the verification zone: `GET <url>/files/<id>` with the task's handle. It connects only to that host,
 * whatever a request says. It follows no redirects and doesn't retry. Throws a `TypeError` for an unsafe URL.
 */
export function createHttpFiles({ url, maxBytes, timeoutMs }: HttpFilesOptions): GrantFiles {
  if (isReadableOnTheWay(url))
    throw new TypeError("the URL of verification must be https: unless the host is this machine");
  const { origin, pathname } = new URL(url);
  // Each file has its own timeout.
  const pool = openConnections({ headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 5_000 } }, origin);

  async function read(id: string, headers: Record<string, string>, signal: AbortSignal): Promise<Uint8Array> {
    const late = AbortSignal.timeout(timeoutMs);
    const over = new AbortController();
    try {
      const answer = await pool.request({
        origin,
        method: "GET",
        path: `${pathname.replace(/\/$/, "")}/files/${id}`,
        headers,
        signal: AbortSignal.any([signal, late, over.signal]),
      });
      return await bytesOf(answer, maxBytes);
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof UnreadableFileError) throw error;
      const sentence = late.aborted ? "Fetching it timed out." : "It can't be fetched right now. Please try again.";
      throw new UnreadableFileError(sentence, { cause: error });
    } finally {
      // Aborts reads in progress.
      over.abort();
    }
  }

  return ({ handle, signal, traceparent }) => {
    let current = handle !== undefined && handleForm.test(handle) ? handle : undefined;
    signal.addEventListener("abort", () => (current = undefined), { once: true });
    return async (id) => {
      signal.throwIfAborted();
      if (current === undefined) throw new UnreadableFileError("This message came without access to its files.");
      if (!idForm.test(id)) throw new UnreadableFileError("This file doesn't exist.");
      const trace = traceparent !== undefined && { traceparent };
      return read(id, { authorization: `Bearer ${current}`, ...trace }, signal);
    };
  };
}

/** The most bytes read from a refusal. */
const refusalBytes = 4_096;

/**
 * Returns the bytes of verification's answer, at most `maxBytes`. Throws an `UnreadableFileError` with verification's
 * sentence when verification refuses.
 */
async function bytesOf({ statusCode, headers, body }: Dispatcher.ResponseData, maxBytes: number): Promise<Uint8Array> {
  if (statusCode !== 200) throw new UnreadableFileError(sentenceOf(await readAtMost(body, refusalBytes)));
  const tooLarge = new UnreadableFileError(
    `It is larger than ${Math.floor(maxBytes / 1_000_000) || "<1"} MB, the most that I read.`,
  );
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge;
  const bytes = await readAtMost(body, maxBytes);
  if (bytes === "too_large") throw tooLarge;
  return bytes;
}

/** Returns verification's own sentence, or a general one when something else answered. */
function sentenceOf(body: Buffer | "too_large"): string {
  // What is not JSON comes from a proxy or another program.
  const message = ownMember(ownMember(plainJson(body.toString()), "error"), "message");
  if (typeof message === "string" && message !== "") return message.slice(0, 500);
  return "It can't be fetched right now. Please try again.";
}
