import type { Worker } from "node:worker_threads";
import { type ErrorKind, ZoneError, type ZoneErrorDetail } from "@crosszone/contracts";
import type { AgentAnswer, AgentTaskInput } from "../agent.ts";

/**
 * Sends a file, or the error of reading it, to the thread that requested it. Transfers the memory when the bytes fill
 * it, so a large file is not copied.
 * https://nodejs.org/api/worker_threads.html#considerations-when-transferring-typedarrays-and-buffers
 */
export async function sendFile(
  worker: Worker,
  { run, read, file }: { run: number; read: number; file: () => Promise<Uint8Array> },
): Promise<void> {
  const post = (message: ToThread, transfer: ArrayBuffer[] = []): void => worker.postMessage(message, transfer);
  try {
    const given = await file();
    const { buffer, byteLength } = given;
    const isWhole = buffer instanceof ArrayBuffer && byteLength === buffer.byteLength;
    const bytes = isWhole ? new Uint8Array(buffer) : new Uint8Array(given);
    post({ type: "file", run, read, bytes }, [bytes.buffer]);
  } catch (error) {
    post({ type: "file_failed", run, read, error: sendError(error) });
  }
}

/** An error as sent between threads. Structured clone loses the class, but keeps name and message. */
interface SentError {
  readonly name: string;
  readonly message: string;
  readonly stack?: string;
  /** The kind and data of a `ZoneError`. */
  readonly zone?: { readonly kind: ErrorKind; readonly data: ZoneErrorDetail };
  readonly cause?: SentError;
}

export function sendError(thrown: unknown): SentError {
  if (!(thrown instanceof Error)) return { name: "Error", message: String(thrown) };
  const { name, message, stack, cause } = thrown;
  return {
    name,
    message,
    stack,
    ...(thrown instanceof ZoneError && { zone: { kind: thrown.kind, data: thrown.data } }),
    ...(cause instanceof Error && { cause: sendError(cause) }),
  };
}

/** Restores the error: a `ZoneError` of the same kind, or an `Error` with the same name, message and stack. */
export function receiveError({ name, message, stack, zone, cause }: SentError): Error {
  const detail = cause && { cause: receiveError(cause) };
  const error =
    zone === undefined
      ? Object.assign(new Error(message, detail), { name })
      : new ZoneError(zone.kind, zone.data, detail);
  if (stack !== undefined) error.stack = stack;
  return error;
}

/** The settings of a thread: a module, and its function that creates the agent. */
export interface ThreadSettings {
  readonly module: string;
  readonly factory: string;
  /** The function's argument, if any. */
  readonly options?: unknown;
}

/** Messages to a thread. `run` numbers the runs, `read` the files that a run requested. */
export type ToThread =
  /** `aheadMs`: how far the zone's clock is ahead of this machine's, milliseconds. */
  | { type: "run"; run: number; input: AgentTaskInput; aheadMs: number }
  | { type: "abort"; run: number; reason: SentError }
  | { type: "file"; run: number; read: number; bytes: Uint8Array }
  | { type: "file_failed"; run: number; read: number; error: SentError }
  /** Requests a `free` in return, which comes as soon as the thread isn't computing. */
  | { type: "free" };

/** Messages from a thread. Each run ends with one `answer` or one `failure`. */
export type FromThread =
  | { type: "answer"; run: number; answer: AgentAnswer }
  | { type: "failure"; run: number; error: SentError }
  | { type: "read"; run: number; read: number; id: string }
  | { type: "free" };
