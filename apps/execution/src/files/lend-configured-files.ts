import type { ExecutionConfig } from "../config.ts";
import type { LendFiles } from "../tasks/lend-files.ts";
import { createHttpFiles } from "./http-files.ts";
import { noFiles } from "./no-files.ts";

/** The way to the files of tasks: over VERIFICATION_URL, or none without it. */
export const lendConfiguredFiles = ({ VERIFICATION_URL: url, ...config }: ExecutionConfig): LendFiles =>
  url === undefined ? noFiles : createHttpFiles({ url, maxBytes: config.MAX_FILE, timeoutMs: config.FILE_TIMEOUT_MS });
