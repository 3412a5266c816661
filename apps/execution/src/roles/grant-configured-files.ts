import type { ExecutionConfig } from "../config/config.ts";
import { createHttpFiles, noFiles } from "../files/http-files.ts";
import type { GrantFiles } from "../tasks/grant-files.ts";

/** Reads the files of tasks from VERIFICATION_URL; refuses every file when it is not set. */
export const grantConfiguredFiles = ({ VERIFICATION_URL: url, ...config }: ExecutionConfig): GrantFiles =>
  url === undefined ? noFiles : createHttpFiles({ url, maxBytes: config.MAX_FILE, timeoutMs: config.FILE_TIMEOUT_MS });
