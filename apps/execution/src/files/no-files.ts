import type { LendFiles } from "../tasks/lend-files.ts";
import { UnreadableFileError } from "./unreadable-file-error.ts";

/** Where nobody has said from where files are read: each is refused with what the operator has to do. */
export const noFiles: LendFiles = () => async () => {
  throw new UnreadableFileError(
    "The contents of files do not reach me here. Whoever runs this service can change that: set `VERIFICATION_URL` for the execution zone.",
  );
};
