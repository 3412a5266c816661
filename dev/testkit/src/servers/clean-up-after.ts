import { spawn } from "node:child_process";

/** Waits for the end of its input, which is the end of its parent process. Then kills the server and its connections, and deletes the folder. */
const script = `
cat > /dev/null
if read -r pid < "$2" && kill "-$3" "$pid"; then
  while kill -0 "$pid"; do sleep 0.05; done
fi
rm -rf "$1"`;

interface ServerFolder {
  /** The server's folder, which is deleted with it. */
  readonly folder: string;
  /** Its first line is the server's process id. */
  readonly pidFile: string;
  /** What ends the server together with its connections. */
  readonly signal: "INT" | "KILL";
}

/**
 * Sees to it that nothing of a server outlives this process, not even when that is killed. What it returns does it now. The
 * shell is in a session of its own: an interrupt at the terminal does not reach it.
 */
export function cleanUpAfter({ folder, pidFile, signal }: ServerFolder): () => Promise<void> {
  const shell = spawn("/bin/sh", ["-c", script, "sh", folder, pidFile, signal], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  const done = new Promise<void>((resolve) => void shell.once("exit", () => resolve()));
  shell.unref();
  (shell.stdin as unknown as { unref: () => void }).unref();
  return () => {
    shell.ref();
    shell.stdin.end();
    return done;
  };
}
