/** Statistics of a table's column. */
export interface ColumnMeasures {
  type: "number" | "date" | "true/false" | "text" | "empty";
  missing: number;
  different: number;
  /** Smallest and largest of numbers and dates; otherwise empty. */
  min: string;
  max: string;
  /** For numbers; otherwise empty. */
  mean: string;
  median: string;
}

const MISSING = /^(?:|na|n\/a|null|none|nan)$/i;
const NUMBER = /^[-+]?(?:\d+|\d{1,3}(?:,\d{3})+)?(?:\.\d+)?(?:e[-+]?\d{1,3})?$/i;
const DECIMAL_COMMA_NUMBER = /^[-+]?(?:\d+|\d{1,3}(?:\.\d{3})+)(?:,\d+)?$/;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}[\d:.Z+-]{0,20})?$/;
const TRUTH = /^(?:true|false|yes|no)$/i;

/** Measures the cells of one column. With `mayHaveDecimalComma`, commas in the column are decimal marks. */
export function measureColumn(cells: readonly string[], mayHaveDecimalComma: boolean): ColumnMeasures {
  const present = cells.map((cell) => cell.trim()).filter((cell) => !MISSING.test(cell));
  const measures = {
    missing: cells.length - present.length,
    different: new Set(present).size,
    min: "",
    max: "",
    mean: "",
    median: "",
  };
  if (present.length === 0) return { type: "empty", ...measures };
  const decimalComma = mayHaveDecimalComma && present.some((cell) => cell.includes(","));
  const numbers = present.map((cell) => toNumber(cell, decimalComma));
  if (numbers.every((number) => Number.isFinite(number))) {
    return { type: "number", ...measures, ...measureNumbers(numbers) };
  }
  if (present.every((cell) => DATE.test(cell))) {
    const sorted = present.toSorted();
    return { type: "date", ...measures, min: sorted[0] ?? "", max: sorted.at(-1) ?? "" };
  }
  return { type: present.every((cell) => TRUTH.test(cell)) ? "true/false" : "text", ...measures };
}

function toNumber(cell: string, decimalComma: boolean): number {
  if (decimalComma && DECIMAL_COMMA_NUMBER.test(cell)) return Number(cell.replaceAll(".", "").replace(",", "."));
  return /\d/.test(cell) && NUMBER.test(cell) ? Number(cell.replaceAll(",", "")) : Number.NaN;
}

function measureNumbers(numbers: readonly number[]): Pick<ColumnMeasures, "min" | "max" | "mean" | "median"> {
  const sorted = Float64Array.from(numbers).toSorted();
  const middle = sorted.length / 2;
  const median = ((sorted[Math.ceil(middle) - 1] ?? 0) + (sorted[Math.floor(middle)] ?? 0)) / 2;
  const mean = numbers.reduce((sum, number) => sum + number, 0) / numbers.length;
  return { min: short(sorted[0] ?? 0), max: short(sorted.at(-1) ?? 0), mean: short(mean), median: short(median) };
}

/** Rounds to ten digits: readable, without floating-point noise. */
function short(number: number): string {
  return String(Number(number.toPrecision(10)));
}
