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
    if (given !== "") sessionStorage.setItem(key, given);
  }
  return sessionStorage.getItem(key) ?? undefined;
}

export function keepToken(token: string): void {
  sessionStorage.setItem(key, token);
}

export function forgetToken(): void {
  sessionStorage.removeItem(key);
}
