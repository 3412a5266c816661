import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { recordOf } from "@crosszone/service-kit/json";
import { visibleLine } from "@crosszone/service-kit/text";
import { type JSONRPCMessage, serializeMessage, type Transport } from "@modelcontextprotocol/client";
import { McpFailure, startFailureOf, tooLargeText } from "./mcp-failure.ts";
import type { McpProgram } from "./mcp-server.ts";
import { errorMessage, comparedId, type McpRequest, readServerMessage, requestIn } from "./read-message.ts";

/** How long a program may take to end after its input has ended, milliseconds. */
const goodbyeMs = 1_000;
const lastWordsMs = 100;

/** How many of its last lines an operator reads when a program ends by itself, and of how many characters. */
const mostWords = { lines: 3, characters: 300 };

/** The client takes a transport with these members for one over stdio, and asks a silent program again as of 2025. */
type ProgramTransport = Transport & {
  readonly pid: number | undefined;
  readonly stderr: null;
  /** How the program has ended by itself, for operators; undefined when it has not. */
  readonly ended: string | undefined;
};

/**
 * Creates the transport over stdio: starts a program without a shell, in a process group of its own. What it writes
 * between two messages of ours may have `mostBytes`. Closing ends the whole group, so that no process that it has
 * started stays. Lines that are no messages are dropped, and of its log the last lines are kept.
 */
export function createProgramTransport(settings: McpProgram, mostBytes: number): ProgramTransport {
  const { command, args, environment, cwd } = settings;
  let program: ChildProcessByStdio<Writable, Readable, Readable> | undefined;
  let ended: string | undefined;
  let [bytes, unfinished, log] = [0, "", ""];
  const asked = new Map<unknown, McpRequest>();
  const decoder = new TextDecoder();

  const onMessage = (message: unknown): void => {
    if (isAnswer(message)) asked.delete(comparedId(message.id));
    transport.onmessage?.(message as JSONRPCMessage);
  };
  /** An error that names no request is the response to the only one. */
  const requestOf = (id: unknown): McpRequest | undefined =>
    asked.get(comparedId(id)) ?? (id === undefined && asked.size === 1 ? asked.values().next().value : undefined);
  const onData = (chunk: Buffer): void => {
    bytes += chunk.length;
    try {
      if (bytes > mostBytes) throw new McpFailure(tooLargeText);
      const text = decoder.decode(chunk, { stream: true });
      const end = text.lastIndexOf("\n");
      const lines = end === -1 ? [] : (unfinished + text.slice(0, end)).split("\n");
      unfinished = end === -1 ? unfinished + text : text.slice(end + 1);
      for (const line of lines) [readServerMessage(line, requestOf)].flat().filter(isMessage).forEach(onMessage);
    } catch {
      // An unfinished line is too long, too.
      for (const { id } of asked.values()) onMessage(errorMessage(id, tooLargeText));
      void transport.close();
    }
  };
  const start = (): Promise<void> =>
    new Promise((resolve, reject) => {
      program = spawn(command, [...args], { env: environment, cwd, stdio: ["pipe", "pipe", "pipe"], detached: true });
      program.once("spawn", resolve).once("error", (error) => reject(startFailureOf(error)));
      program.once("exit", (code, signal) => {
        // Its last words may still be on their way.
        const close = async (): Promise<void> => {
          await sleep(lastWordsMs);
          if (program !== undefined)
            ended = `its program ended with ${signal ?? `exit code ${code}`}${wordsOf(log, environment)}`;
          await transport.close();
        };
        void close();
      });
      program.stdin.on("error", () => undefined);
      program.stdout.on("data", onData);
      program.stderr.on("data", (chunk: Buffer) => void (log = (log + chunk.toString()).slice(-mostKept)));
    });

  const transport: ProgramTransport = {
    stderr: null,
    get pid() {
      return program?.pid;
    },
    get ended() {
      return ended;
    },
    start,
    send: async (message) => {
      if (program === undefined) throw new McpFailure(ended ?? "the connection was lost");
      bytes = 0;
      const request = requestIn(message);
      if (request !== undefined) asked.set(comparedId(request.id), request);
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
      ending.stderr.destroy();
      transport.onclose?.();
    },
  };
  return transport;
}

/** Characters of a program's log that are kept. */
const mostKept = 4_000;

/** Some programs also write their log as JSON. */
const isMessage = (value: unknown): boolean => recordOf(value)["jsonrpc"] === "2.0";

const isAnswer = (message: unknown): message is Exclude<JSONRPCMessage, { readonly method: unknown }> =>
  !("method" in (message as object));

/** Returns the last lines of a program's log, without the values of its variables, which may be secrets. */
function wordsOf(log: string, environment: McpProgram["environment"]): string {
  const secrets = Object.values(environment).filter((value) => value.length > 5 && value !== environment["PATH"]);
  const hidden = secrets.reduce((text, value) => text.replaceAll(value, "[redacted]"), log);
  const lines = hidden.split("\n").map(visibleLine).filter(Boolean).slice(-mostWords.lines);
  return lines.length === 0 ? "" : `: ${lines.join(" / ").slice(-mostWords.characters).toWellFormed()}`;
}

function endGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, "SIGKILL");
  } catch {
    // The whole group has ended.
  }
}
