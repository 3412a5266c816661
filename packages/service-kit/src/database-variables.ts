import { resolve } from "node:path";
import { z } from "zod";
import { url, wholeNumber } from "./config-kinds.ts";
import { isLoopback } from "./loopback.ts";
import { defineConfig, type ConfigEntry, type ConfigValues } from "./config.ts";

const group = "Database";

type DatabaseDefinition = Readonly<{
  DATABASE_URL: ConfigEntry<z.ZodType<string | undefined, string | undefined>>;
  DATA_DIR: ConfigEntry<z.ZodType<string, string>>;
  DATABASE_CONNECTIONS: ConfigEntry<z.ZodType<number, string>>;
}>;

/** The variables of where a zone keeps what may not be lost, for the configuration of an app. */
export const databaseVariables: DatabaseDefinition = defineConfig({
  DATABASE_URL: {
    schema: url(["postgres", "postgresql"]).optional(),
    secret: true,
    description: "PostgreSQL of this zone, 14 or later. Without it, a SQLite file in DATA_DIR.",
    group,
  },
  DATA_DIR: {
    schema: z.string().min(1).describe("a folder"),
    default: ".crosszone",
    description: "Folder of the SQLite file, on a disk of this machine. Of no use when DATABASE_URL is set.",
    group,
  },
  DATABASE_CONNECTIONS: {
    schema: wholeNumber({ min: 1, max: 1_000 }),
    default: "10",
    description: "Connections to PostgreSQL that one process opens at most.",
    group,
  },
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
    return ["DATABASE_URL does not use TLS, so what people write can be read on the network. Add sslmode=verify-full."];
  if (mode === "no-verify")
    return ["DATABASE_URL uses sslmode=no-verify, which does not verify the server. Use sslmode=verify-full."];
  return [];
}
