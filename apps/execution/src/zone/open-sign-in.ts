import type { AppendAudit, RecordAct } from "@crosszone/audit";
import { followFiles } from "@crosszone/service-kit";
import { errorText } from "@crosszone/service-kit/text";
import { FileProblemsError, readYamlFile } from "@crosszone/service-kit/yaml";
import { createSessions } from "../doors/sign-in/sessions.ts";
import { type ConsoleSettings, readConsoleSettings } from "../people/sign-in/console-file.ts";
import { createSessionStore } from "../people/sign-in/session-store.ts";
import type { FileLoaded, RoleParts } from "./open-store.ts";

/** Reads CONSOLE_FILE. Rejects with a `FileProblemsError` that names each mistake by line. */
export async function readConsoleFile(path: string): Promise<ConsoleSettings> {
  const { value, problemAt } = await readYamlFile(path, "console file");
  const read = readConsoleSettings(value);
  if ("problems" in read) throw new FileProblemsError(read.problems.map(problemAt));
  return read.settings;
}

/**
 * Opens what signs people in to the console, and follows CONSOLE_FILE; undefined without it. Rejects with a `FileProblemsError` if the file
 * can't be used. An edit that can't be used is logged, and the previous settings stay.
 */
export async function openSignIn(
  { config, database, vault, emit }: RoleParts,
  { append, record, loaded }: { append: AppendAudit; record: RecordAct; loaded: FileLoaded },
) {
  const { CONSOLE_FILE: path, CONSOLE_URL: url, CONSOLE_CLIENT_SECRET: clientSecret } = config;
  if (path === undefined || url === undefined) return undefined;
  // Loaded only when used: it is larger than the rest of authentication.
  const { createIdentityProvider } = await import("../doors/sign-in/identity-provider.ts");
  const provided = {
    url,
    clientSecret,
    clockSkewMs: config.EXECUTION_JWT_CLOCK_SKEW_MS,
    maxAgeMs: config.EXECUTION_JWT_JWKS_MAX_AGE_MS,
    cooldownMs: config.EXECUTION_JWT_JWKS_COOLDOWN_MS,
  };
  const { current, close } = await followFiles({
    paths: [path],
    read: async () => {
      const settings = await readConsoleFile(path);
      return { settings, provider: createIdentityProvider(settings, provided) };
    },
    store: ({ settings }) => loaded("console", settings, [path]),
    onApplied: () => emit("console_file_applied"),
    onFailure: (error) => emit("console_file_not_usable", { because: errorText(error) }),
  });
  const store = createSessionStore(database, append, vault);
  const sessions = createSessions(store, () => current().settings, url);
  return { url, current, store, sessions, record, emit, close };
}
