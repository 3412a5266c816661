import { expect, test } from "vitest";
import { databaseUrlOf, databaseWarnings } from "./database-variables.ts";

test("without a server there is a file for each zone, at an absolute path", () => {
  expect(databaseUrlOf({ DATABASE_URL: undefined, DATA_DIR: "/data" }, "execution")).toBe(
    "sqlite:/data/execution.sqlite",
  );
  expect(databaseUrlOf({ DATABASE_URL: undefined, DATA_DIR: "data" }, "execution")).toMatch(
    /^sqlite:\/.*\/data\/execution/,
  );
  expect(databaseUrlOf({ DATABASE_URL: "postgres://db/x", DATA_DIR: "data" }, "execution")).toBe("postgres://db/x");
});

test.each([
  ["postgres://me:secret@db.example.com/x", /does not ask for TLS/],
  ["postgres://db.example.com/x?sslmode=disable", /does not ask for TLS/],
  ["postgres://db.example.com/x?sslmode=no-verify", /can be the database/],
  ["postgres://db.example.com/x?sslmode=verify-full", undefined],
  ["postgres://db.example.com/x?sslmode=require", undefined],
  ["postgres://db.example.com/x?ssl=true", undefined],
  ["postgres://127.0.0.1:5432/x", undefined],
  ["postgres://[::1]/x", undefined],
  ["postgres:///x?host=/var/run/postgresql", undefined],
  [undefined, undefined],
])("whether %s is readable on the way is said, without its password", (DATABASE_URL, words) => {
  const warnings = databaseWarnings({ DATABASE_URL });
  if (words === undefined) expect(warnings).toEqual([]);
  else expect(warnings).toEqual([expect.stringMatching(words)]);
  expect(warnings.join("")).not.toContain("secret@");
});
