import type { ConformanceReport } from "@crosszone/contracts";

const names: Readonly<Record<string, string>> = {
  "a2a-1.0": "A2A 1.0",
  "jsonrpc-2.0": "A2A 0.3",
  "simple-a2a": "Simple A2A",
};

/** Returns the name of a protocol for people. */
export const protocolName = (protocol: string): string => names[protocol] ?? protocol;

/** Returns the names of the checked protocols. */
export const protocolNames = ({ protocols }: ConformanceReport): string =>
  protocols.length === 0 ? "no known protocol" : protocols.map(protocolName).join(", ");

const countOf = (count: number, word: string): string => `${count} ${word}${count === 1 ? "" : "s"}`;

/** Returns the result in a few words: `compliant`, `compliant, 2 warnings`, `3 failed` or `not finished`. */
export function resultWords({ compliant, summary: { passed, failed, warned } }: ConformanceReport): string {
  if (!compliant) return failed > 0 ? `${failed} failed` : passed > 0 ? "not finished" : "not checked";
  return warned > 0 ? `compliant, ${countOf(warned, "warning")}` : "compliant";
}
