import type { TokenScope } from "@crosszone/contracts";
import type { Api } from "./api.ts";

/** The user of the console, by a token of this tab of the browser or by a sign-in. */
export interface User {
  /** The person's name, or the token's. */
  readonly name: string;
  readonly scopes: readonly TokenScope[];
  /** As whom the user decides requests that name them: a Slack user, or a token. */
  readonly decidesAs?: string | undefined;
}

/** Whether the API allows the user what needs this scope. */
export const may = ({ scopes }: User, scope: TokenScope): boolean => scopes.includes(scope);

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

/** Ends the session at the zone, and forgets the token. Resolves with where to sign out of the provider too, if it says so. */
export async function signOut(): Promise<string | undefined> {
  const hadToken = sessionStorage.getItem(key) !== null;
  sessionStorage.removeItem(key);
  if (hadToken) return undefined;
  const headers = { "content-type": "application/json" };
  const response = await fetch("/auth/logout", { method: "POST", headers, body: "{}" }).catch(() => undefined);
  if (response?.ok !== true) return undefined;
  const { redirect_to: next } = (await response.json()) as { readonly redirect_to?: string | null };
  return next ?? undefined;
}

/** Returns the session of this browser's sign-in; or where to sign in, undefined when the zone has no sign-in. */
export async function readSignIn(): Promise<{ readonly session?: User; readonly signIn?: string | undefined }> {
  const response = await fetch("/auth/session", { cache: "no-store" }).catch(() => undefined);
  const said = (await response?.json().catch(() => undefined)) as Partial<User> & {
    readonly slack_user?: string;
    readonly sign_in?: string | null;
  };
  if (response?.ok === true) return { session: { ...(said as User), decidesAs: said.slack_user } };
  return { signIn: response?.status === 401 ? (said.sign_in ?? undefined) : undefined };
}

/** Returns the session of a token. Rejects with an `ApiFault`. */
export async function readHolder(api: Api): Promise<User> {
  const { actor, scopes } = await api.get<{ readonly actor: string; readonly scopes: readonly TokenScope[] }>(
    "/session",
  );
  return { name: actor, scopes, decidesAs: actor };
}
