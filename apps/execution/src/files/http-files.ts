import { isReadableOnTheWay } from "@crosszone/service-kit";
import { Pool } from "undici";
import type { LendFiles } from "../tasks/lend-files.ts";
import { bytesOf } from "./bytes-of.ts";
import { UnreadableFileError } from "./unreadable-file-error.ts";

export interface HttpFilesOptions {
  /** Where the verification zone listens. `http:` only on this machine. */
  readonly url: string;
  /** Largest file, bytes. */
  readonly maxBytes: number;
  /** How long one file may take, milliseconds. */
  readonly timeoutMs: number;
}

/** What verification hands out. Slack's own token is sent nowhere. */
const handleForm = /^czh_[\w-]{43}$/;
const idForm = /^[A-Za-z0-9]{1,64}$/;

/**
 * Reads files from the verification zone: `GET <url>/files/<id>` with the task's handle. It connects to that one place, whatever a
 * request says; it follows no redirect and repeats nothing. Throws a `TypeError` for an unsafe URL.
 */
export function createHttpFiles({ url, maxBytes, timeoutMs }: HttpFilesOptions): LendFiles {
  if (isReadableOnTheWay(url)) throw new TypeError("files need https: for every host but this machine");
  const { origin, pathname } = new URL(url);
  // Reading a file has a limit of its own.
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
      const sentence = late.aborted
        ? "It took too long to get it."
        : "It cannot be fetched right now. Please try again.";
      throw new UnreadableFileError(sentence, { cause: error });
    } finally {
      // Ends what is still on its way.
      over.abort();
    }
  }

  return ({ handle, signal, traceparent }) => {
    let held = handle !== undefined && handleForm.test(handle) ? handle : undefined;
    signal.addEventListener("abort", () => (held = undefined), { once: true });
    return async (id) => {
      signal.throwIfAborted();
      if (held === undefined)
        throw new UnreadableFileError("Nothing came with this message that files can be read with.");
      if (!idForm.test(id)) throw new UnreadableFileError("There is no such file.");
      const trace = traceparent !== undefined && { traceparent };
      return read(id, { authorization: `Bearer ${held}`, ...trace }, signal);
    };
  };
}
