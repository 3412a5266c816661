import { request } from "node:http";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ownRoot } from "../zone/zone-process.ts";
import type { Recording } from "./recorder/preload.ts";
import type { Statement } from "./recorder/statement.ts";

/** The recorder in another process. */
export interface Recorder {
  /** Returns the statements since the last `take`. */
  readonly statements: () => Promise<readonly Statement[]>;
  /** Returns what happened since the last `take`, and starts again. */
  readonly take: () => Promise<Recording>;
}

const socketOf = (folder: string, name: string): string => join(folder, `${name}.sock`);

/** The environment in which a Node process of the repository at `root` records itself. It listens on a socket in `folder`. */
export function recorderEnv(folder: string, name: string, root = ownRoot): Record<string, string> {
  const preload = fileURLToPath(new URL("recorder/preload.ts", import.meta.url));
  return { NODE_OPTIONS: `--import=${preload}`, PATH_RECORDER: socketOf(folder, name), PATH_ROOT: root };
}

/** Connects to the recorder of a process that was started in `recorderEnv`. */
export function connectRecorder(folder: string, name: string): Recorder {
  const socketPath = socketOf(folder, name);
  return {
    statements: () => send<readonly Statement[]>(socketPath, "GET", "/statements"),
    take: () => send<Recording>(socketPath, "POST", "/take"),
  };
}

function send<T>(socketPath: string, method: string, path: string): Promise<T> {
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath, method, path, agent: false }, (response) => {
      response
        .toArray()
        .then((chunks) => resolve(JSON.parse(Buffer.concat(chunks as Buffer[]).toString()) as T), reject);
    });
    sent.once("error", reject).end();
  });
}
