import { readFileSync } from "node:fs";

/** How many files a process may open here, connections included: Node raises its own soft limit to the hard one. */
export function openFilesLimit(): number {
  try {
    const [, , hard = ""] = /^Max open files\s+(\S+)\s+(\S+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return hard === "unlimited" ? 1_000_000 : Number(hard) || 1_000;
  } catch {
    return 1_000;
  }
}
