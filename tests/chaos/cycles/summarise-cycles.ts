import { offending } from "../report/summary.ts";
import type { CycleFindings } from "./run-cycles.ts";

/** A new database and its write-ahead log are about 4 MB; what an answered message leaves behind is far less than this. */
const baseBytes = 8_000_000;
const bytesPerMessage = 20_000;

/** Everything that is not as it has to be: an answer, what is left behind, and a file that is broken or larger than what it keeps. */
export function cycleComplaintsOf({ judged, stores, files }: CycleFindings): string[] {
  const most = baseBytes + bytesPerMessage * judged.length;
  return [
    ...offending(judged).map(({ planned, verdict }) => `message ${planned.number} is ${verdict}`),
    ...stores.problems,
    ...files.filter(({ integrity }) => integrity !== "ok").map(({ name }) => `${name} is broken`),
    ...files.filter(({ bytes }) => bytes > most).map(({ name, bytes }) => `${name} has grown to ${bytes} bytes`),
  ];
}

/** The findings in a few lines. */
export function summariseCycles(findings: CycleFindings): string {
  const { seed, cycles, judged, files, wallMs } = findings;
  const bad = offending(judged);
  const size = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  const lines = [
    `${cycles} times killed -9 on one folder · sent ${judged.length} · answered once ${judged.length - bad.length} · not so ${bad.length}`,
    files.map(({ name, bytes, integrity }) => `${name} ${size(bytes)}, integrity ${integrity}`).join(" · "),
    `${Math.round(wallMs / 1_000)} s · seed ${seed}`,
    ...cycleComplaintsOf(findings).slice(0, 20),
  ];
  return lines.map((line) => `  ${line}\n`).join("");
}
