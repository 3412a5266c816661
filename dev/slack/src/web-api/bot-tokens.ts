import { randomBytes } from "node:crypto";
import type { Storage } from "../workspace/storage.ts";

/** The Web API's result for a bot token. */
type TokenState = "good" | "token_revoked" | "token_expired" | "invalid_auth";

/** The bot tokens of a workspace, current and former. */
export interface BotTokens {
  readonly current: string;
  stateOf(token: string): TokenState;
  /** Issues another token and makes it `current`; earlier ones stay valid. With a lifetime, in milliseconds, it expires. */
  issue(lifetimeMs?: number): string;
  revoke(token: string): void;
  revokeAll(): void;
}

/** Starts with a token that never expires, and those of earlier starts. */
export function createBotTokens(first: string, { keep }: Storage): BotTokens {
  /** Expiry of each token, Unix milliseconds; 0 once revoked. */
  const tokens = keep<number>("bot tokens");
  if (!tokens.has(first)) tokens.set(first, Infinity);
  let current = [...tokens].findLast(([, until]) => until > 0)?.[0] ?? first;
  return {
    get current() {
      return current;
    },
    stateOf: (token) => {
      const until = tokens.get(token);
      if (until === undefined) return "invalid_auth";
      if (until === 0) return "token_revoked";
      return Date.now() < until ? "good" : "token_expired";
    },
    issue: (lifetimeMs) => {
      const random = randomBytes(16).toString("hex");
      current = lifetimeMs === undefined ? `xoxb-0-0-${random}` : `xoxe.xoxb-1-${random}`;
      tokens.set(current, Date.now() + (lifetimeMs ?? Infinity));
      return current;
    },
    revoke: (token) => {
      if (tokens.has(token)) tokens.set(token, 0);
    },
    revokeAll: () => {
      for (const token of tokens.keys()) tokens.set(token, 0);
    },
  };
}
