import MarkdownIt from "markdown-it";
import { withOthers } from "./read-markdown.ts";

/**
 * What one message takes, with room to spare. Slack counts the blocks that it makes of Markdown (50), their characters (a heading costs about
 * a hundred more), and the rows (100), columns (20) and characters (10,000) of tables.
 * https://docs.slack.dev/reference/block-kit/blocks/markdown-block
 */
const most = { blocks: 45, characters: 12_000, rows: 99, columns: 20, tableCharacters: 9_500, rowCharacters: 4_000 };
const headingCost = 100;

/** A block that Slack makes of Markdown. A table's rows begin at `body`. Positions are those of the text. */
interface Block {
  readonly kind: "heading" | "rule" | "code" | "table" | "prose";
  readonly from: number;
  readonly to: number;
  readonly body: number;
}

const kinds: Readonly<Record<string, Block["kind"]>> = {
  heading_open: "heading",
  hr: "rule",
  fence: "code",
  code_block: "code",
  table_open: "table",
};

const parser = new MarkdownIt();
parser.core.ruler.enableOnly(["block"]);

/** Returns the blocks of a text in order; other text between two of them is one block. */
function readBlocks(text: string): Block[] {
  const source = text.replaceAll("\r\n", " \n").replaceAll("\r", "\n");
  const starts = [0, ...[...source.matchAll(/\n/g)].map(({ index }) => index + 1)];
  const startOf = (line: number): number => starts[line] ?? source.length;
  const blocks: Block[] = [];
  for (const { type, map, nesting } of parser.parse(source, {})) {
    const last = blocks.at(-1);
    if (map === null || nesting < 0 || type === "inline") continue;
    const [from, to] = [startOf(map[0]), startOf(map[1])];
    const kind = kinds[type] ?? "prose";
    const isPartOfLast = last?.kind === "table" ? from < last.to : last?.kind === "prose" && kind === "prose";
    if (!isPartOfLast) blocks.push({ kind, from, to, body: Math.min(to, startOf(map[0] + 2)) });
  }
  return blocks;
}

/** Returns a function that says whether a place is in a row of a table, also in the first one of an unfinished text. */
export function tablesIn(text: string): (place: number) => boolean {
  const tables = readBlocks(text).filter(({ kind }) => kind === "table");
  return (place) => {
    const line = text.slice(text.lastIndexOf("\n", place - 1) + 1, place);
    return /^[>\s]*\|/.test(line) || tables.some(({ from, to }) => from <= place && place < to);
  };
}

/** Where a message can end. */
export interface Room {
  /** The message must not be longer. */
  readonly end: number;
  /** True if a block or a row of a table begins at `end`, so that no better place is needed. */
  readonly isBoundary: boolean;
  /** Returns the nearest place, not after `place` and after `start`, that is not within a table's row; `place` if there is none. */
  readonly outsideRows: (place: number, start: number) => number;
  /** Returns the header of the table that goes on at `place`; empty if none does. */
  readonly headerAt: (place: number) => string;
}

/** Returns how much of a text one message takes, apart from a limit of characters. The message begins before `start`, with what is repeated. */
export function roomIn(text: string, start: number): Room {
  const blocks = readBlocks(text);
  const tables = blocks.filter(({ kind }) => kind === "table");
  const within = (place: number): Block | undefined => tables.find(({ from, to }) => from < place && place < to);
  return {
    ...endOf(text, blocks, start),
    outsideRows: (place, from) => {
      const table = within(place);
      if (table === undefined) return place;
      const row = text.lastIndexOf("\n", place - 1) + 1;
      const better = row > table.body || (table.from < from && row === table.body) ? row : table.from;
      return better > from ? better : place;
    },
    headerAt: (place) => {
      const table = within(place);
      return table === undefined || place < table.body ? "" : text.slice(table.from, table.body);
    },
  };
}

function endOf(
  text: string,
  blocks: readonly Block[],
  start: number,
): { readonly end: number; readonly isBoundary: boolean } {
  let [headings, tableCharacters] = [0, 0];
  for (const [index, block] of blocks.entries()) {
    // A heading stays with what follows it.
    const lead = blocks[index - 1];
    const boundary = lead?.kind === "heading" && lead.from > start ? lead.from : block.from;
    const isHeading = block.kind === "heading";
    if (isHeading) headings += 1;
    const characters = most.characters - headingCost * headings;
    const isFull = index >= most.blocks || (isHeading && block.to > characters);
    if (isFull && block.from > start) return { end: boundary, isBoundary: true };
    if (block.kind === "table") {
      const rows = fittingRows(text, block, most.tableCharacters - tableCharacters);
      tableCharacters += rows - block.from;
      if (rows < block.to) {
        if (rows > block.body && rows > start) return { end: rows, isBoundary: true };
        if (boundary > start) return { end: boundary, isBoundary: true };
      }
    }
    const next = blocks[index + 1]?.from ?? text.length;
    if (next > characters && characters > start) return { end: characters, isBoundary: false };
  }
  return { end: text.length, isBoundary: false };
}

/** Returns where the rows of a table end that fit. */
function fittingRows(text: string, { from, to, body }: Block, characters: number): number {
  let place = body;
  for (let rows = 0; rows < most.rows && place < to; rows += 1) {
    const newline = text.indexOf("\n", place);
    const end = newline === -1 ? to : Math.min(to, newline + 1);
    if (end - from > characters) return place;
    place = end;
  }
  return place;
}

/** Returns a text in which tables that Slack refuses, for their columns or a long row, are code. */
export function withFittingTables(text: string): string {
  if (!/^[> \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\||$)/m.test(text)) return text;
  const large = readBlocks(text).filter(({ kind, from, to, body }) => {
    if (kind !== "table") return false;
    const [header = "", delimiter = "", ...rows] = text.slice(from, to).split("\n");
    const sizes = [header.length, ...rows.map((row) => body - from + row.length)];
    const columns = delimiter.match(/-+/g) ?? [];
    return columns.length > most.columns || sizes.some((size) => size > most.rowCharacters);
  });
  return withOthers(text, large, ({ from, to }) => {
    const table = text.slice(from, to).trimEnd();
    const fence = "`".repeat(Math.max(3, ...[...table.matchAll(/`+/g)].map(([run]) => run.length + 1)));
    return `${fence}\n${table}\n${fence}\n`;
  });
}
