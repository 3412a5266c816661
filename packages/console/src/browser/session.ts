import type { TokenScope } from "@crosszone/contracts";

/** The user of the console, by a token of this tab of the browser or by a session. */
export interface Session {
  /** The person's name; undefined for a token. */
  readonly name?: string;
  /** What the user may do; undefined when the API alone knows. */
  readonly scopes?: readonly TokenScope[];
  /** The person's Slack user, who may decide requests that name them. */
  readonly slack_user?: string;
}

/** Whether the API allows the user what needs this scope. */
export const may = ({ scopes }: Session, scope: TokenScope): boolean => scopes?.includes(scope) ?? true;

const key = "crosszone-token";

/**
 * Returns the token of this tab. Removes a token from the address (`#token=…`) at once, so that sharing the address
 * doesn't share the token.
 */
export function readToken(): string | undefined {
  const said = new URLSearchParams(location.hash.slice(1));
  const given = said.get("token");
  if (given !== null) {
    said.delete("token");
    history.replaceState(null, "", location.pathname + location.search + (said.size > 0 ? `#${said.toString()}` : ""));
    if (given !== "") keepToken(given);
  }
  return sessionStorage.getItem(key) ?? undefined;
}

export const keepToken = (token: string): void => sessionStorage.setItem(key, token);

/** Ends the session at the zone, and forgets the token. */
export async function signOut(): Promise<void> {
  const hadToken = sessionStorage.getItem(key) !== null;
  sessionStorage.removeItem(key);
  if (!hadToken)
    await fetch("/auth/logout", { method: "POST", headers: { "content-type": "application/json" }, body: "{}" });
}

/** Returns the session of this browser; or where to sign in, undefined when the zone has no sign-in. */
export async function readSession(): Promise<{ readonly session?: Session; readonly signIn?: string | undefined }> {
  const response = await fetch("/auth/session", { cache: "no-store" }).catch(() => undefined);
  if (response?.ok === true) return { session: (await response.json()) as Session };
  if (response?.status !== 401) return {};
  const { sign_in: signIn } = (await response.json()) as { readonly sign_in?: string | null };
  return { signIn: signIn ?? undefined };
}
