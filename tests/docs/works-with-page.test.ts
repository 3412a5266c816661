import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { readWorksWith } from "../external/works-with.ts";

const page = readFileSync(resolve(import.meta.dirname, "../../docs/reference/works-with.md"), "utf8");
const rows = page.split("\n").map((line) => line.replaceAll(/ +/g, " "));

test("the page shows what the last runs noted, and says what was not tried", () => {
  const noted = readWorksWith().map(
    ({ name, version, passed, of, note = "" }) => `| ${name} | ${version} | ${passed} of ${of} | ${note} |`,
  );
  const shown = rows.filter((line) => / \d+ of \d+ \|/.test(line));
  expect(shown.toSorted()).toEqual(noted.map((line) => line.replaceAll(/ +/g, " ")).toSorted());
  expect(rows.filter((line) => line.includes("| not tried |")).length).toBeGreaterThan(0);
});
