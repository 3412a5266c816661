import { hash } from "node:crypto";
import { type RecordAct, zoneAct } from "@crosszone/audit";
import { canonicalJson } from "@crosszone/service-kit/json";

/** Records what a file decides from now on, by the digest of its content. `paths`: none for the default. */
export type FileLoaded = (policy: string, content: object, paths: readonly string[]) => Promise<void>;

/** Returns a function that appends the event `policy.load`. Content that waits for another store after it is recorded once. */
export function createFileLoaded(record: RecordAct): FileLoaded {
  const recorded = new WeakSet<object>();
  return async (id, content, paths) => {
    if (recorded.has(content)) return;
    const [policy, file] = [hash("sha256", canonicalJson(content)), paths.join(",") || "default"];
    await record(
      zoneAct("execution", { action: "policy.load", target: { type: "policy", id }, policy, details: { file } }),
    );
    recorded.add(content);
  };
}
