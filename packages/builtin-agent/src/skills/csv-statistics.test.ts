import { describe, expect, test } from "vitest";
import { ask, run } from "../testing/ask-builtin.ts";

describe("CSV", () => {
  test("measures the columns", async () => {
    const answer = await ask(
      'csv:\nname,age,joined,active\nAda,36,2020-01-02,yes\n"Turing, Alan",41,2019-05-06,no\nGrace,,2021-07-08,yes\nKen,n/a,2018-01-01,no',
    );
    expect(answer).toContain("**4 rows, 4 columns**");
    expect(answer).toContain("| name | text | 0 | 4 |  |  |  |  |");
    expect(answer).toContain("| age | number | 2 | 2 | 36 | 38.5 | 38.5 | 41 |");
    expect(answer).toContain("| joined | date | 0 | 4 | 2018-01-01 |  |  | 2021-07-08 |");
    expect(answer).toContain("| active | true/false | 0 | 2 |  |  |  |  |");
  });

  test.each([
    ["odd", "x\n5\n1\n3", "| x | number | 0 | 3 | 1 | 3 | 3 | 5 |"],
    ["even", "x\n0.1\n0.2\n0.4\n100", "| x | number | 0 | 4 | 0.1 | 25.175 | 0.3 | 100 |"],
    ["with thousands", 'x\n"1,234.5"\n1', "| x | number | 0 | 2 | 1 | 617.75 | 617.75 | 1234.5 |"],
  ])("median and mean of an %s column", async (_name, csv, row) => {
    expect(await ask(`csv:\n${csv}`)).toContain(row);
  });

  test("semicolons, tabs and bars separate cells too; with semicolons a comma is a decimal mark, and the answer says so", async () => {
    const german = await ask("csv:\nitem;price\ntea;3,50\ncake;4,20");
    expect(german).toContain("| price | number | 0 | 2 | 3.5 | 3.85 | 3.85 | 4.2 |");
    expect(german).toContain("commas are read as decimal marks");
    expect(await ask("csv: a\tb\n1\t2")).toContain("**1 row, 2 columns**");
    expect(await ask("csv: a|b\n1|2")).toContain("**1 row, 2 columns**");
  });

  test("states its assumptions", async () => {
    expect(await ask("csv: 1,2\n3,4")).toContain("does not look like a header");
    expect(await ask("csv: a,b,c\n1,2\n3,4,5")).toContain("1 row with fewer cells");
    expect(await ask(`csv: ${"a1,".repeat(40)}x\n1`)).toContain("first 30 columns");
    expect(await ask(`csv: a,b\n${"1,22\n".repeat(60_000)}`)).toContain("first 199,999 characters of 300,003");
  });

  test("accepts a code block and an attached text", async () => {
    expect(await ask("```csv\na,b\n1,2\n```")).toContain("**1 row, 2 columns**");
    expect(await ask("", { attachments: [{ name: "t.csv", text: "a,b\n1,2" }] })).toContain(
      "`t.csv`: **1 row, 2 columns**",
    );
    expect(await ask("", { attachments: [{ mime_type: "text/csv", text: "a,b\n1,2" }] })).toContain(
      "**1 row, 2 columns**",
    );
  });

  test("an unclosed quote is reported", async () => {
    expect(await ask('csv:\na,b\n1,"2')).toContain("double quote that is never closed");
  });

  test("column names cannot act as Markdown", async () => {
    expect(await ask("csv:\n__proto__,*b*,c\n1,2,3")).toContain(String.raw`| \_\_proto\_\_ | number |`);
  });

  test("a question about CSV is not CSV", async () => {
    expect((await run("what is csv")).skill).toBeUndefined();
  });
});
