import { randomBytes } from "node:crypto";
import { checkReachable, failed, passed, probe, skipped, type Check } from "@crosszone/ops/doctor";
import { z } from "zod";
import type { ExecutionConfig } from "../../config/config.ts";

/** Checks of the connection to verification, which the zone uses to read files. */
export function fileChecks({ VERIFICATION_URL: url }: ExecutionConfig): Check[] {
  const reads = ["VERIFICATION_URL"];
  if (url === undefined)
    return [
      {
        name: "verification reachable",
        reads,
        run: () => skipped("VERIFICATION_URL is not set: agents can't read files"),
      },
    ];
  const peer = () => ({ url, variable: "VERIFICATION_URL", whenDown: "Start the verification zone" });
  return [
    checkReachable({ name: "verification reachable", reads }, { peer, probe }).check,
    checkVerificationFiles(url, askForFile),
  ];
}

/** The answer to an unauthorized request for a file: the HTTP status, and the reason that only verification gives. */
export interface FileRefusal {
  readonly status: number;
  readonly reason?: string;
}

/** Requests a file with a random handle. Returns undefined when no answer comes. */
export type AskForFile = (verificationUrl: string) => Promise<FileRefusal | undefined>;

/** Checks that VERIFICATION_URL is the verification zone and that it rejects unknown handles. */
export function checkVerificationFiles(url: string, ask: AskForFile): Check {
  return {
    name: "verification files",
    needs: ["verification reachable"],
    reads: ["VERIFICATION_URL"],
    run: async () => {
      const answer = await ask(url);
      if (answer === undefined) return skipped("no answer to a request for a file");
      if (answer.status === 401 && answer.reason === "unauthorized")
        return passed("verification rejects an unknown handle");
      return failed(
        `HTTP ${answer.status} to a request for a file: this is not the verification zone`,
        "Check VERIFICATION_URL: it is the part before /files, and no proxy may answer in verification's place.",
      );
    },
  };
}

const refusal = z.object({ error: z.object({ reason: z.string() }) });

/** Requests a file over HTTP with a well-formed random handle. Times out after five seconds. */
export const askForFile: AskForFile = async (verificationUrl) => {
  try {
    const response = await fetch(`${verificationUrl.replace(/\/$/, "")}/files/F0`, {
      headers: { authorization: `Bearer czh_${randomBytes(32).toString("base64url")}` },
      redirect: "manual",
      signal: AbortSignal.timeout(5_000),
    });
    const body: unknown = await response.json().catch(() => undefined);
    const reason = refusal.safeParse(body).data?.error.reason;
    return { status: response.status, ...(reason !== undefined && { reason }) };
  } catch {
    return undefined;
  }
};
