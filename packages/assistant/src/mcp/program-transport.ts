import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import {
  deserializeMessage,
  type JSONRPCMessage,
  type RequestId,
  serializeMessage,
  type Transport,
} from "@modelcontextprotocol/client";
import { brokenOffCode, changeIn, McpFailure, tooLargeText } from "./mcp-failure.ts";
import type { McpProgram } from "./mcp-server.ts";

/** How long a program may take to end after its input has ended, milliseconds. */
const goodbyeMs = 1_000;
const lastWordsMs = 100;

/** The client takes a transport with these members for one over stdio, and asks a silent program again as of 2025. */
type ProgramTransport = Transport & { readonly pid: number | undefined; readonly stderr: null };

/**
 * Creates the transport over stdio: starts a program without a shell, in a process group of its own. What it writes
 * between two messages of ours may have `mostBytes`. Closing ends the whole group, so that no process that it has
 * started stays. Lines that are no messages, and what it writes to its log, are dropped.
 */
export function createProgramTransport(
  { command, args, environment }: McpProgram,
  mostBytes: number,
): ProgramTransport {
  let program: ChildProcessByStdio<Writable, Readable, null> | undefined;
  let bytes = 0;
  const asked = new Set<RequestId>();
  const decoder = new TextDecoder();
  let unfinished = "";

  const onMessage = (message: JSONRPCMessage): void => {
    if (!("method" in message) && message.id !== undefined) asked.delete(message.id);
    transport.onmessage?.(message);
  };
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    try {
      if (bytes > mostBytes) throw new McpFailure(tooLargeText);
      const lines = (unfinished + decoder.decode(chunk, { stream: true })).split("\n");
      unfinished = lines.pop() ?? "";
      for (const message of lines.flatMap(messageIn)) onMessage(message);
    } catch {
      // An unfinished line is too long, too.
      for (const id of asked) onMessage({ jsonrpc: "2.0", id, error: { code: brokenOffCode, message: tooLargeText } });
      void transport.close();
    }
  };

  const transport: ProgramTransport = {
    stderr: null,
    get pid() {
      return program?.pid;
    },
    start: () =>
      new Promise((resolve, reject) => {
        const stdio: ["pipe", "pipe", "ignore"] = ["pipe", "pipe", "ignore"];
        program = spawn(command, [...args], { env: environment, stdio, detached: true });
        program.once("spawn", resolve).once("error", reject);
        // Its last words may still be on their way.
        program.once("exit", () => void sleep(lastWordsMs).then(() => transport.close()));
        program.stdin.on("error", () => undefined);
        program.stdout.on("data", onData);
      }),
    send: async (message) => {
      if (program === undefined) throw new McpFailure("the connection was lost");
      bytes = 0;
      if ("method" in message && "id" in message) asked.add(message.id);
      program.stdin.write(serializeMessage(message));
    },
    close: async () => {
      const ending = program;
      program = undefined;
      if (ending === undefined) return;
      ending.stdout.off("data", onData).resume();
      ending.stdin.end();
      if (ending.pid !== undefined && ending.exitCode === null && ending.signalCode === null)
        await Promise.race([new Promise((resolve) => ending.once("exit", resolve)), sleep(goodbyeMs)]);
      endGroup(ending.pid);
      ending.stdout.destroy();
      transport.onclose?.();
    },
  };
  return transport;
}

/** A message whose values would change becomes an error. A line that is no message gives none. */
function messageIn(line: string): JSONRPCMessage[] {
  try {
    const message = deserializeMessage(line);
    const change = changeIn(line);
    if (change === undefined) return [message];
    return "id" in message ? [{ jsonrpc: "2.0", id: message.id, error: { code: brokenOffCode, message: change } }] : [];
  } catch {
    return [];
  }
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The whole group has ended.
  }
}
