import type { ChaosFindings } from "../run/run-chaos.ts";
import type { Judged, Verdict } from "../judge/judge-thread.ts";
import { taskAttempts } from "../system/settings.ts";

/** Whether every message was answered once, nothing was left behind, and no process died by itself. */
export function isFlawless({ judged, unwritten, stores, crashes }: ChaosFindings): boolean {
  return offending(judged).length + unwritten + stores.problems.length + crashes === 0;
}

/** The messages that were not answered exactly once. */
export function offending(judged: readonly Judged[]): Judged[] {
  return judged.filter(({ verdict }) => verdict !== "answered");
}

/** The findings in a few lines. */
export function summarise(findings: ChaosFindings): string {
  const { options, judged, unwritten, stores, damage, broken, repeated, crashes, wallMs } = findings;
  const count = (verdict: Verdict): number => judged.filter((one) => one.verdict === verdict).length;
  const { killed, together, redeploys, wires, slack } = damage;
  const kills = Object.entries(killed).flatMap(([victim, times]) => (times > 0 ? `${victim} ${times}` : []));
  const { inbox, tasks } = stores;
  const lines = [
    `sent ${judged.length} · answered once ${count("answered")} · lost ${count("lost")} · doubled ${count("doubled")} · wrong ${count("wrong")} · stuck ${count("stuck")}`,
    `killed -9: ${kills.join(", ")} (${together} times two at once) · redeployed: ${redeploys} times, two processes overlapping`,
    `network: ${listed(wires)}; ${broken} connections broken`,
    `Slack: ${listed(slack)}; events brought once more than needed ${repeated} times`,
    `databases: inbox ${inbox.open} open, ${inbox.parked} parked · tasks ${tasks.open} open, ${tasks.ended} ended, ${tasks.doubled} doubled`,
    `${Math.round(wallMs / 1_000)} s on ${options.engine} · seed ${options.seed} · TASK_ATTEMPTS=${taskAttempts}, for kills come closer together here than anywhere`,
  ];
  if (unwritten > 0) lines.push(`${unwritten} replies were not written: what they reply to never reached the app`);
  if (crashes > 0) lines.push(`${crashes} processes ended by themselves, or not in order`);
  return [...lines, ...stores.problems].map((line) => `  ${line}\n`).join("");
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, times]) => `${name.replaceAll("_", " ")} ${times}`).join(", ") || "nothing";
}
