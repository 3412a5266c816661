import type { Command } from "../program/command.ts";
import { readLifetime, readName } from "../program/options.ts";
import { namesOf } from "../program/parameter-options.ts";
import { actRow, listRow } from "../program/row.ts";
import { UsageError } from "../program/session.ts";
import { harmlessLine, momentText } from "../text/terminal-text.ts";

const tokenScopes = namesOf("createToken", "scopes");

const createToken = actRow({
  name: "tokens create",
  operation: "createToken",
  summary: "Creates an API token and prints it. The zone can't show it again.",
  options: {
    name: { flags: "--name <name>", help: "names its holder wherever an actor is shown" },
    scope: {
      flags: "--scope <scope>",
      multiple: true,
      help: `repeat it or use commas: ${tokenScopes.join(", ")}`,
      names: tokenScopes,
    },
    expires: { flags: "--expires <time>", help: "lifetime, such as 30d or 12h" },
  },
  without: ["expires_at", "expires_in"],
  examples: [["crosszone tokens create --name ci --scope ask,runs:read --expires 30d", "a token for a program"]],
  ask: ({ values: { name, scope = [], expires } }) => {
    if (name === undefined || expires === undefined || scope.length === 0)
      throw new UsageError("--name, --scope and --expires are required.");
    const expires_in = readLifetime("--expires", expires);
    const scopes = scope.flatMap((text) => text.split(",")).map((one) => readName("--scope", one, tokenScopes));
    return { body: { name, scopes, expires_in } };
  },
  show: ({ token, api_token: { name, scopes, expires_at } }) => ({
    text: `${harmlessLine(token)}\n`,
    notice: `${name}: ${scopes.join(", ")}, until ${expires_at}. Store the token now; it is not shown again.\n`,
  }),
});

const listTokens = listRow({
  name: "tokens list",
  operation: "listTokens",
  examples: [["crosszone tokens", "who can use the API"]],
  of: ({ tokens }) => tokens,
  columns: ({ stored_bytes = 0, ...token }) => ({
    TOKEN: token.name,
    SCOPES: token.scopes.join(","),
    "CREATED BY": token.created_by,
    EXPIRES: token.expires_at,
    "LAST USED": token.last_used_at ?? "never",
    FROM: token.last_used_from?.address ?? "",
    STORED: stored_bytes === 0 ? "" : `${(stored_bytes / 1_000_000).toFixed(1)} MB`,
  }),
  none: "No API tokens.",
  names: { kind: "tokens", of: ({ name }) => name, refusal: "token-not-found" },
});

const showToken = listRow({
  name: "tokens show",
  operation: "listTokenUses",
  summary: "Lists the days, addresses and clients that used a token, latest first. Also for a revoked one.",
  operands: { actor: "<name>" },
  examples: [
    ["crosszone tokens show ci", "who used this token, and from where"],
    ["crosszone tokens show 'subject:https://login.example.com robot'", "the same for a subject of an issuer"],
  ],
  ask: ({ operands: [name = ""] }) => ({ actor: /:|^bootstrap$/.test(name) ? name : `token:${name}` }),
  of: ({ uses }) => uses,
  columns: ({ day, address, client, uses, first_at, last_at }, { session: { stdout } }) => ({
    DAY: day,
    ADDRESS: address,
    USES: String(uses),
    FIRST: momentText(first_at, stdout),
    LAST: momentText(last_at, stdout),
    CLIENT: client,
  }),
  none: "No uses.",
});

const revokeToken = actRow({
  name: "tokens revoke",
  operation: "revokeToken",
  summary: "Revokes an API token. The zone rejects its next request.",
  examples: [["crosszone tokens revoke ci", "by its name"]],
  show: (_, { operands: [name = ""] }) => `Revoked: ${harmlessLine(name)}.\n`,
});

/** In the order of the help. */
export const tokenCommands: readonly Command[] = [createToken, listTokens, showToken, revokeToken];
