import { isTokenScope } from "@crosszone/contracts";
import { type Command, defineCommand, jsonOption } from "../program/command.ts";
import { UsageError } from "../program/errors.ts";
import { namesOf, pageOptions, readLifetime, readName, readPage } from "../program/options.ts";
import { harmlessLine, momentText, table } from "../text/terminal-text.ts";

export const createToken: Command = defineCommand({
  name: "tokens create",
  summary: "Creates an API token and prints it. The zone can't show it again.",
  operands: [],
  options: {
    name: { flags: "--name <name>", help: "names its holder wherever an actor is shown" },
    scope: {
      flags: "--scope <scope>",
      multiple: true,
      help: `repeat it or use commas: ${namesOf(isTokenScope).join(", ")}`,
    },
    expires: { flags: "--expires <time>", help: "lifetime, such as 30d or 12h" },
    json: jsonOption,
  },
  examples: [["crosszone tokens create --name ci --scope ask,runs:read --expires 30d", "a token for a program"]],
  run: async ({ values: { name, scope = [], expires } }, { api }) => {
    if (name === undefined || expires === undefined || scope.length === 0)
      throw new UsageError("--name, --scope and --expires are required.");
    const expires_in = readLifetime("--expires", expires);
    const scopes = scope.flatMap((text) => text.split(",")).map((one) => readName("--scope", one, isTokenScope));
    const created = await api().tokens.create({ name, scopes, expires_in });
    const { scopes: given, expires_at } = created.api_token;
    const notice = `${name}: ${given.join(", ")}, until ${expires_at}. Store the token now; it is not shown again.\n`;
    return { json: created, text: `${harmlessLine(created.token)}\n`, notice };
  },
});

export const listTokens: Command = defineCommand({
  name: "tokens list",
  summary: "Lists the live API tokens.",
  operands: [],
  options: { json: jsonOption },
  examples: [["crosszone tokens", "who can use the API"]],
  run: async (_, { api }) => {
    const list = await api().tokens.list();
    const rows = list.tokens.map((token) => {
      const { name, created_by, expires_at, last_used_at = "never", last_used_from: from } = token;
      return [name, token.scopes.join(","), created_by, expires_at, last_used_at, harmlessLine(from?.address ?? "")];
    });
    const head = ["TOKEN", "SCOPES", "CREATED BY", "EXPIRES", "LAST USED", "FROM"];
    return { json: list, text: rows.length === 0 ? "No API tokens.\n" : table(head, rows) };
  },
});

export const showToken: Command = defineCommand({
  name: "tokens show",
  summary: "Lists the days, addresses and clients that used a token, latest first. Also for a revoked one.",
  operands: ["<name>"],
  options: { limit: pageOptions.limit, json: jsonOption },
  examples: [
    ["crosszone tokens show ci", "who used this token, and from where"],
    ["crosszone tokens show 'subject:https://login.example.com robot'", "the same for a subject of an issuer"],
  ],
  run: async ({ values, operands: [name = ""] }, { api, stdout }) => {
    const { limit } = readPage(values);
    const list = await api().tokens.uses({ actor: /:|^bootstrap$/.test(name) ? name : `token:${name}`, limit });
    const rows = list.uses.map(({ day, address, client, uses, first_at, last_at }) => [
      day,
      harmlessLine(address),
      String(uses),
      momentText(first_at, stdout),
      momentText(last_at, stdout),
      harmlessLine(client),
    ]);
    const head = ["DAY", "ADDRESS", "USES", "FIRST", "LAST", "CLIENT"];
    return { json: list, text: rows.length === 0 ? "No uses.\n" : table(head, rows) };
  },
});

export const revokeToken: Command = defineCommand({
  name: "tokens revoke",
  summary: "Revokes an API token. The zone rejects its next request.",
  operands: ["<name>"],
  options: {},
  examples: [["crosszone tokens revoke ci", "by its name"]],
  run: async ({ operands: [name = ""] }, { api }) => {
    await api().tokens.revoke(name);
    return { text: `Revoked: ${harmlessLine(name)}.\n` };
  },
});
