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

/** Returns the token of this tab. */
export const readToken = (): string | undefined => sessionStorage.getItem(key) ?? undefined;

/** Takes a token out of the address (`#token=…`) at once, so that sharing the address doesn't share the token. */
export function takeToken(): string | undefined {
  const said = new URLSearchParams(location.hash.slice(1));
  const given = said.get("token");
  if (given === null) return undefined;
  said.delete("token");
  history.replaceState(null, "", location.pathname + location.search + (said.size > 0 ? `#${said.toString()}` : ""));
  return given === "" ? undefined : given;
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

/** Where to sign in; empty when the zone has no sign-in. */
export const signInPath = (): string => document.querySelector<HTMLMetaElement>("meta[name=sign-in]")?.content ?? "";

/** Returns the user of this tab's token, or of this browser's session. Rejects with an `ApiFault`. */
export async function readSignedIn(api: Api): Promise<User> {
  const { actor, name, scopes, slack_user } = await api.call("getSession", {});
  return { name: name ?? actor, scopes, decidesAs: name === undefined ? actor : slack_user };
}
