import { spawn } from "node:child_process";

/** Waits for the end of its input, which is the end of who started it; ends the server with its connections, and takes the folder away. */
const script = `
cat > /dev/null
if read -r pid < "$1/postmaster.pid" && kill -INT "$pid"; then
  while kill -0 "$pid"; do sleep 0.05; done
fi
rm -rf "$1"`;

/**
 * Sees to it that nothing of a server outlives this process, not even when that is killed. What it returns does it now. The
 * shell is in a session of its own: an interrupt at the terminal does not reach it.
 */
export function cleanUpAfter(folder: string): () => Promise<void> {
  const shell = spawn("/bin/sh", ["-c", script, "sh", folder], { detached: true, stdio: ["pipe", "ignore", "ignore"] });
  const done = new Promise<void>((resolve) => void shell.once("exit", () => resolve()));
  shell.unref();
  (shell.stdin as unknown as { unref: () => void }).unref();
  return () => {
    shell.ref();
    shell.stdin.end();
    return done;
  };
}
