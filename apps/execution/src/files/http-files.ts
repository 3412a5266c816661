import { isReadableOnTheWay } from "@crosszone/service-kit";
import { Pool } from "undici";
import type { LendFiles } from "../tasks/lend-files.ts";
import { bytesOf } from "./bytes-of.ts";
import { UnreadableFileError } from "./unreadable-file-error.ts";

export interface HttpFilesOptions {
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
export function createHttpFiles({ url, maxBytes, timeoutMs }: HttpFilesOptions): LendFiles {
  if (isReadableOnTheWay(url)) throw new TypeError("VERIFICATION_URL must be https: unless the host is this machine");
  const { origin, pathname } = new URL(url);
  // Each file has its own timeout.
  const pool = new Pool(origin, { headersTimeout: 0, bodyTimeout: 0, connect: { timeout: 5_000 } });

  async function read(id: string, headers: Record<string, string>, signal: AbortSignal): Promise<Uint8Array> {
    const late = AbortSignal.timeout(timeoutMs);
    const over = new AbortController();
    try {
      const answer = await pool.request({
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
    let held = handle !== undefined && handleForm.test(handle) ? handle : undefined;
    signal.addEventListener("abort", () => (held = undefined), { once: true });
    return async (id) => {
      signal.throwIfAborted();
      if (held === undefined) throw new UnreadableFileError("This message came without access to its files.");
      if (!idForm.test(id)) throw new UnreadableFileError("This file doesn't exist.");
      const trace = traceparent !== undefined && { traceparent };
      return read(id, { authorization: `Bearer ${held}`, ...trace }, signal);
    };
  };
}
