import { refused, type Authenticator } from "./authenticator.ts";

/**
 * Lets every program in, as `local`. The configuration allows it on loopback only; there a web page in somebody's browser could ask
 * too, by DNS rebinding, and is known by the `origin` that only browsers send. https://fetch.spec.whatwg.org/#origin-header
 */
export function createOpenAuth(): Authenticator {
  const local = { caller: "local" };
  return {
    challenge: "Bearer",
    hint: "nothing is asked for",
    authenticate: ({ headers }) => (headers.origin === undefined ? local : refused("caller_not_allowed")),
  };
}
