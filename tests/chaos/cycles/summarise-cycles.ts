import { offending } from "../report/summary.ts";
import type { CycleFindings } from "./run-cycles.ts";

/** A new database and its write-ahead log are about 4 MB; what an answered message leaves behind is far less than this. */
const baseBytes = 8_000_000;
const bytesPerMessage = 20_000;

/** Whether everything was answered once, and the files are whole and no larger than what was kept in them. */
export function isFlawlessCycle({ judged, stores, files }: CycleFindings): boolean {
  const most = baseBytes + bytesPerMessage * judged.length;
  const areSound = files.every(({ integrity, bytes }) => integrity === "ok" && bytes <= most);
  return areSound && offending(judged).length + stores.problems.length === 0;
}

/** The findings in a few lines. */
export function summariseCycles({ seed, cycles, judged, stores, files, wallMs }: CycleFindings): string {
  const bad = offending(judged);
  const size = (bytes: number): string => `${(bytes / 1_000_000).toFixed(1)} MB`;
  const lines = [
    `${cycles} times killed -9 on one folder · sent ${judged.length} · answered once ${judged.length - bad.length} · not so ${bad.length}`,
    files.map(({ name, bytes, integrity }) => `${name} ${size(bytes)}, integrity ${integrity}`).join(" · "),
    `${Math.round(wallMs / 1_000)} s · seed ${seed}`,
    ...stores.problems,
  ];
  return lines.map((line) => `  ${line}\n`).join("");
}
