import { failed, passed, skipped, type Check } from "@crosszone/service-kit/doctor";

/** What came back for a file that nobody may read: the HTTP status, and the reason that only the verification zone gives. */
export interface FileRefusal {
  readonly status: number;
  readonly reason?: string;
}

/** Asks for a file with a handle that nobody issued; gives nothing when no answer came. */
export type AskForFile = (verificationUrl: string) => Promise<FileRefusal | undefined>;

/** Whether what listens at VERIFICATION_URL gives out files, and to nobody who brings no handle of its own. */
export function checkVerificationFiles(url: string, ask: AskForFile): Check {
  return {
    name: "verification files",
    needs: ["verification reachable"],
    reads: ["VERIFICATION_URL"],
    run: async () => {
      const answer = await ask(url);
      if (answer === undefined) return skipped("it gave no answer to a request for a file");
      if (answer.status === 401 && answer.reason === "unauthorized")
        return passed("it turns away a handle that nobody issued");
      return failed(
        `HTTP ${answer.status} to a request for a file: this is not the verification zone`,
        "Look at VERIFICATION_URL: it ends where /files begins, and nothing on the way may answer for it.",
      );
    },
  };
}
