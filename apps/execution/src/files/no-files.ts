import type { LendFiles } from "../tasks/lend-files.ts";
import { UnreadableFileError } from "./unreadable-file-error.ts";

/** Refuses every file and says how the operator can change that. For a zone without VERIFICATION_URL. */
export const noFiles: LendFiles = () => async () => {
  throw new UnreadableFileError(
    "I can't read files here. The operator of this service can change that: set `VERIFICATION_URL` for the execution zone.",
  );
};
