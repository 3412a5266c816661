import { expect, test } from "vitest";
import { databaseUrlOf, databaseWarnings } from "./database-variables.ts";

test("without a server, each zone has its own file at an absolute path", () => {
  expect(databaseUrlOf({ DATABASE_URL: undefined, DATA_DIR: "/data" }, "execution")).toBe(
    "sqlite:/data/execution.sqlite",
  );
  expect(databaseUrlOf({ DATABASE_URL: undefined, DATA_DIR: "data" }, "execution")).toMatch(
    /^sqlite:\/.*\/data\/execution/,
  );
  expect(databaseUrlOf({ DATABASE_URL: "postgres://db/x", DATA_DIR: "data" }, "execution")).toBe("postgres://db/x");
});

test.each([
  ["postgres://me:secret@db.example.com/x", "does not require TLS"],
  ["postgres://db.example.com/x?sslmode=disable", "does not require TLS"],
  ["postgres://db.example.com/x?sslmode=no-verify", "can impersonate the database"],
  ["postgres://db.example.com/x?sslmode=verify-full", ""],
  ["postgres://db.example.com/x?sslmode=require", ""],
  ["postgres://db.example.com/x?ssl=true", ""],
  ["postgres://127.0.0.1:5432/x", ""],
  ["postgres://[::1]/x", ""],
  ["postgres:///x?host=/var/run/postgresql", ""],
  [undefined, ""],
] as const)("whether a connection to %s is unencrypted is reported, without its password", (DATABASE_URL, words) => {
  const warnings = databaseWarnings({ DATABASE_URL });
  expect(warnings).toHaveLength(words === "" ? 0 : 1);
  expect(warnings.join("")).toContain(words);
  expect(warnings.join("")).not.toContain("secret@");
});
