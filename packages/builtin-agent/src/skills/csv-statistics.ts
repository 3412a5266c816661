import { CsvError, parse } from "csv-parse/sync";
import { attachedTexts, codeBlocks, type Document, documentBehind } from "../documents/find-document.ts";
import { measureColumn } from "../documents/measure-column.ts";
import { code, counted, table } from "../message/markdown.ts";
import { type BuiltinSkill, type Question, UserMistake } from "../message/skill.ts";

/** Maximum number of analyzed characters, to keep the zone responsive. */
const MOST_CHARACTERS = 200_000;
const MOST_COLUMNS = 30;
const DELIMITERS = [",", ";", "\t", "|"];

/** Measures the columns of a CSV table. Detects the delimiter and the header. */
export const csvStatistics: BuiltinSkill = {
  id: "csv-statistics",
  name: "CSV",
  description:
    "Describes the columns of a CSV table or file: type, missing values, smallest, mean, median and largest.",
  examples: ["csv:\nname,age\nAda,36\nAlan,41", "statistics of this CSV\nitem;price\ntea;3,50\ncake;4,20"],
  match: (question) => {
    const document = findCsv(question);
    return document && (() => describe(document));
  },
};

function findCsv(question: Question): Document | undefined {
  const marked = [...codeBlocks(question.text), ...attachedTexts(question)].find(({ format }) =>
    /\b[ct]sv$/.test(format),
  );
  if (marked !== undefined) return marked;
  const asked = /^[^\n:]{0,60}?\b[ct]sv\b/i.exec(question.text);
  return asked === null ? undefined : documentBehind(question, asked[0].length);
}

function describe({ text, name }: Document): string {
  const analyzed =
    text.length > MOST_CHARACTERS
      ? text.slice(0, text.lastIndexOf("\n", MOST_CHARACTERS) + 1 || MOST_CHARACTERS)
      : text;
  const delimiter = findDelimiter(analyzed);
  const [first = [], ...others] = parseRows(analyzed, delimiter);
  const hasHeader = others.length > 0 && isHeader(first);
  const rows = hasHeader ? others : [first, ...others];
  const width = Math.max(
    first.length,
    rows.reduce((widest, row) => Math.max(widest, row.length), 0),
  );
  const columns = Array.from({ length: Math.min(width, MOST_COLUMNS) }, (_unused, index) => {
    const measures = measureColumn(
      rows.map((row) => row[index] ?? ""),
      delimiter === ";",
    );
    const { type, missing, different, min, mean, median, max } = measures;
    return [
      (hasHeader && first[index]?.trim()) || `column ${index + 1}`,
      type,
      String(missing),
      String(different),
      min,
      mean,
      median,
      max,
    ];
  });
  const title = `${name === undefined ? "" : `${code(name)}: `}**${counted(rows.length, "row")}, ${counted(width, "column")}**`;
  const ragged = rows.filter((row) => row.length !== width).length;
  const notes = [
    hasHeader ? "" : "The first line does not look like a header, so it is counted as a row.",
    delimiter === ";" && analyzed.includes(",")
      ? "Cells are separated by semicolons, so commas are read as decimal marks."
      : "",
    ragged === 0 ? "" : `${counted(ragged, "row")} with fewer cells than the others; absent cells count as missing.`,
    width > MOST_COLUMNS ? `Only the first ${MOST_COLUMNS} columns are shown.` : "",
    analyzed.length < text.length
      ? `Only the first ${counted(analyzed.length, "character")} of ${text.length.toLocaleString("en")} are analyzed.`
      : "",
  ].filter((note) => note !== "");
  const body = table(["Column", "Type", "Missing", "Different", "Min", "Mean", "Median", "Max"], columns);
  return [title, body, notes.map((note) => `_${note}_`).join("\n")].filter((part) => part !== "").join("\n\n");
}

function parseRows(text: string, delimiter: string): string[][] {
  try {
    return parse(text, { delimiter, bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    if (error.code === "CSV_QUOTE_NOT_CLOSED") {
      throw new UserMistake("I can't read that CSV: a cell starts with a double quote that is never closed.");
    }
    throw new UserMistake("I can't read that CSV: its quotes or delimiters don't match.");
  }
}

/** Returns the most frequent delimiter of the first line, outside quotes; a comma when it has none. */
function findDelimiter(text: string): string {
  const [line = ""] = text.trimStart().slice(0, 2000).split("\n", 1);
  const bare = line.replace(/"[^"]*"/g, "");
  const counts = DELIMITERS.map((delimiter) => bare.split(delimiter).length);
  return DELIMITERS[counts.indexOf(Math.max(...counts))] ?? ",";
}

function isHeader(row: readonly string[]): boolean {
  const isNamed = row.every((cell) => ["text", "true/false"].includes(measureColumn([cell], false).type));
  return isNamed && new Set(row).size === row.length;
}
