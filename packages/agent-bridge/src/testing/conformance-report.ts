import type { ConformanceReport } from "@crosszone/contracts";

/** A report in which these checks of level `must` failed. */
export function reportOf(url: string, failed: readonly string[] = []): ConformanceReport {
  const rule = { rule: "The id is echoed.", source: "https://www.jsonrpc.org/specification" };
  const shared = { protocol: "a2a-1.0", level: "must", ...rule } as const;
  const passed = { ...shared, id: "answers", title: "The agent answers.", status: "passed" } as const;
  const checks = failed.map((id) => {
    const words = { problem: "The response has the id null.", mend: "Copy the id of the request." };
    return { ...shared, id, title: "The response has the request's id.", status: "failed", ...words } as const;
  });
  return {
    url,
    protocols: ["a2a-1.0"],
    compliant: failed.length === 0,
    started_at: "2026-11-21T06:00:00Z",
    duration_ms: 3,
    summary: { passed: 1, failed: failed.length, warned: 0, skipped: 0 },
    checks: [passed, ...checks],
  };
}
