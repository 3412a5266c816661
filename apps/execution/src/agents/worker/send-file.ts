import type { Worker } from "node:worker_threads";
import { sendError } from "./sent-error.ts";
import type { ToThread } from "./thread-messages.ts";

/**
 * Sends a file, or the error of reading it, to the thread that requested it. Transfers the memory when the bytes fill
 * it, so a large file is not copied.
 * https://nodejs.org/api/worker_threads.html#considerations-when-transferring-typedarrays-and-buffers
 */
export async function sendFile(
  worker: Worker,
  { run, read, file }: { run: number; read: number; file: () => Promise<Uint8Array> },
): Promise<void> {
  const tell = (message: ToThread, transfer: ArrayBuffer[] = []): void => worker.postMessage(message, transfer);
  try {
    const given = await file();
    const { buffer, byteLength } = given;
    const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
    const bytes = isWhole ? new Uint8Array(buffer) : new Uint8Array(given);
    tell({ type: "file", run, read, bytes }, [bytes.buffer]);
  } catch (error) {
    tell({ type: "file_failed", run, read, error: sendError(error) });
  }
}
