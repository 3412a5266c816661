import { randomBytes } from "node:crypto";
import { z } from "zod";
import type { AskForFile } from "./check-verification-files.ts";

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
