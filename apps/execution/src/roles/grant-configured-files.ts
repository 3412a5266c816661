import type { ExecutionConfig } from "../config/config.ts";
import { createHttpFiles, noFiles } from "../files/http-files.ts";
import type { LendFiles } from "../tasks/grant-files.ts";

/** Reads the files of tasks from VERIFICATION_URL; refuses every file when it is not set. */
export const lendConfiguredFiles = ({ VERIFICATION_URL: url, ...config }: ExecutionConfig): LendFiles =>
  url === undefined ? noFiles : createHttpFiles({ url, maxBytes: config.MAX_FILE, timeoutMs: config.FILE_TIMEOUT_MS });
