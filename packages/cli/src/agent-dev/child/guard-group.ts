import { spawn } from "node:child_process";
import process from "node:process";

/** Waits for the end of its input, which is the end of this process, and then ends a process group. */
const script = 'cat > /dev/null; kill -TERM -"$1"';

/** Ends a process group when this process ends, even when it is killed. Returns a function that lifts the guard. */
export function guardGroup(pid: number): () => void {
  if (process.platform === "win32") return () => undefined;
  const shell = spawn("/bin/sh", ["-c", script, "sh", String(pid)], {
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.on("error", () => undefined);
  shell.stdin.on("error", () => undefined);
  shell.unref();
  (shell.stdin as unknown as { readonly unref: () => void }).unref();
  return () => void shell.kill("SIGKILL");
}
