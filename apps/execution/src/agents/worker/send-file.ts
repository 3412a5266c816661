import type { Worker } from "node:worker_threads";
import { sendError } from "./sent-error.ts";
import type { ToThread } from "./thread-messages.ts";

/**
 * Brings a file to the thread that asked for it, or what went wrong. The memory itself changes hands where the bytes fill it, so a
 * large file is not copied. https://nodejs.org/api/worker_threads.html#considerations-when-transferring-typedarrays-and-buffers
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
