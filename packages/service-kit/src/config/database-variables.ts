import { resolve } from "node:path";
import { nonEmpty, url } from "./kinds.ts";
import { isLoopback } from "../values/text.ts";
import { groupOf, variable, type ConfigValues, type OptionalVariable, type Variable } from "./definition.ts";

type DatabaseVariables = Readonly<{
  DATABASE_URL: OptionalVariable<string>;
  DATA_DIR: Variable<string>;
}>;

/** The variables of where a zone keeps what may not be lost, for the configuration of an app. */
export const databaseVariables: DatabaseVariables = groupOf("Store data", {
  DATABASE_URL: variable(url(["postgres", "postgresql"]).optional(), { secret: true })`
    URL of this zone's PostgreSQL database, version 14 or later. Without it, the zone uses SQLite in DATA_DIR.`,
  DATA_DIR: variable(nonEmpty("a folder"), { default: ".crosszone" })`
    Folder of the SQLite database. It must be on a local disk. Not used with DATABASE_URL.`,
});

/** Returns the URL of a zone's database, for `openDatabase`. */
export function databaseUrlOf(
  { DATABASE_URL, DATA_DIR }: Pick<ConfigValues<typeof databaseVariables>, "DATABASE_URL" | "DATA_DIR">,
  zone: string,
): string {
  return DATABASE_URL ?? `sqlite:${resolve(DATA_DIR, `${zone}.sqlite`)}`;
}

/** Returns a warning if the database connection can be read or intercepted on the network. https://node-postgres.com/features/ssl */
export function databaseWarnings({
  DATABASE_URL: text,
}: Pick<ConfigValues<typeof databaseVariables>, "DATABASE_URL">): readonly string[] {
  if (text === undefined) return [];
  const { hostname, searchParams } = new URL(text);
  const local = hostname === "" || isLoopback(hostname) || searchParams.get("host")?.startsWith("/") === true;
  if (local || searchParams.get("ssl") === "true") return [];
  const mode = searchParams.get("sslmode");
  if (!mode || mode === "disable")
    return ["DATABASE_URL does not require TLS: messages travel unencrypted. Add sslmode=verify-full to it."];
  if (mode === "no-verify")
    return ["DATABASE_URL has sslmode=no-verify: an attacker can impersonate the database. Use sslmode=verify-full."];
  return [];
}
