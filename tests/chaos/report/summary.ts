import type { ChaosFindings } from "../run/run-chaos.ts";
import type { Judged, Verdict } from "../judge/judge-thread.ts";
import { attempts } from "../system/settings.ts";

const mostComplaints = 20;

/** Everything that is not as it has to be: nothing when every message was answered once, and nothing is left behind. */
export function complaintsOf({ judged, unwritten, stores, crashes }: ChaosFindings): string[] {
  const complaints = offending(judged).map(({ planned, verdict }) => `message ${planned.number} is ${verdict}`);
  if (unwritten > 0) complaints.push(`${unwritten} replies: what they reply to never reached the app`);
  if (crashes > 0) complaints.push(`${crashes} processes ended by themselves, or not in order`);
  return [...complaints, ...stores.problems];
}

/** The messages that were not answered exactly once. */
export function offending(judged: readonly Judged[]): Judged[] {
  return judged.filter(({ verdict }) => verdict !== "answered");
}

/** The findings in a few lines. */
export function summarise(findings: ChaosFindings): string {
  const { options, judged, stores, damage, streams, broken, repeated, wallMs, stretch } = findings;
  const count = (verdict: Verdict): number => judged.filter((one) => one.verdict === verdict).length;
  const { killed, together, redeploys, freezes, wires, slack } = damage;
  const kills = Object.entries(killed).flatMap(([victim, times]) => (times > 0 ? `${victim} ${times}` : []));
  const { inbox, tasks } = stores;
  const lines = [
    `sent ${judged.length} · answered once ${count("answered")} · refused ${count("refused")} · lost ${count("lost")} · doubled ${count("doubled")} · truncated ${count("truncated")} · wrong ${count("wrong")} · stuck ${count("stuck")}`,
    `asked: ${listed(countOf(judged.map(({ planned }) => planned.kind)))}`,
    `killed -9: ${kills.join(", ")} (${together} times two at once) · stood still: ${freezes} · redeployed, two overlapping: ${redeploys}`,
    `network: ${listed(wires)}; ${broken} connections broken`,
    `Slack: ${listed(slack)}; events brought once more than needed ${repeated} times`,
    `streams: ${streams.started} started, ${streams.appended} times appended, ${streams.stopped} ended in order; ${streams.failed} calls failed`,
    `databases: inbox ${inbox.open} open, ${inbox.parked} parked · tasks ${tasks.open} open, ${tasks.succeeded} succeeded, ${tasks.failed} failed`,
    `${Math.round(wallMs / 1_000)} s on ${options.engine}${stretch >= 1.05 ? `, stretched ${stretch.toFixed(1)} times for a busy machine` : ""} · seed ${options.seed} · TASK_ATTEMPTS, AGENT_CALL_ATTEMPTS and INBOX_ATTEMPTS ${attempts}, as kills come close together`,
  ];
  return [...lines, ...complaintsOf(findings).slice(0, mostComplaints)].map((line) => `  ${line}\n`).join("");
}

function countOf(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function listed(counts: ReadonlyMap<string, number>): string {
  return [...counts].map(([name, times]) => `${name.replaceAll("_", " ")} ${times}`).join(", ") || "nothing";
}
