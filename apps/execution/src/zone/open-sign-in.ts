import type { AppendAudit, RecordAct } from "@crosszone/audit";
import type { IdentityProvider } from "../doors/sign-in/identity-provider.ts";
import { createSessions } from "../doors/sign-in/sessions.ts";
import type { ConsoleSettings } from "../people/sign-in/console-settings.ts";
import { createSessionStore } from "../people/sign-in/session-store.ts";
import type { RoleParts } from "./open-store.ts";

/** Opens what signs people in to the console, by the section `console`; undefined without CONSOLE_URL, and when the section is absent at the start. */
export async function openSignIn(
  { config, database, vault, emit, settings }: RoleParts,
  { append, record }: { append: AppendAudit; record: RecordAct },
) {
  const { CONSOLE_URL: url, CONSOLE_CLIENT_SECRET: clientSecret } = config;
  if (url === undefined) return undefined;
  // Loaded only when used: it is larger than the rest of authentication.
  const { createIdentityProvider } = await import("../doors/sign-in/identity-provider.ts");
  const provided = {
    url,
    clientSecret,
    clockSkewMs: config.EXECUTION_JWT_CLOCK_SKEW_MS,
    maxAgeMs: config.EXECUTION_JWT_JWKS_MAX_AGE_MS,
    cooldownMs: config.EXECUTION_JWT_JWKS_COOLDOWN_MS,
  };
  let current: { readonly settings: ConsoleSettings; readonly provider: IdentityProvider } | undefined;
  const apply = (next: ConsoleSettings | undefined): void => {
    // Without the section, no group has a role.
    if (next !== undefined) current = { settings: next, provider: createIdentityProvider(next, provided) };
    else if (current !== undefined) current = { ...current, settings: { ...current.settings, roles: nobody } };
  };
  await settings.follow("console", apply, () => current === undefined);
  const first = current;
  if (first === undefined) return undefined;
  const inForce = (): typeof first => current ?? first;
  const store = createSessionStore(database, append, vault);
  const sessions = createSessions(store, () => inForce().settings, url);
  return { url, current: inForce, store, sessions, record, emit };
}

const nobody: ConsoleSettings["roles"] = { viewer: [], operator: [], admin: [], auditor: [] };
