/** Shows a person's text as inline code, shortened to one line. Nothing in it can act as Markdown. */
export function code(text: string, limit = 80): string {
  return `\`${oneLine(text, limit).replaceAll("`", "'")}\``;
}

/** Shortens a text to one line of at most `limit` characters, never splitting a character. */
export function oneLine(text: string, limit: number): string {
  const line = text
    .slice(0, limit * 8)
    .replace(/\s+/g, " ")
    .trim();
  const signs = Array.from(line);
  return signs.length > limit ? `${signs.slice(0, limit - 1).join("")}…` : line;
}

/** A Markdown table. Each cell is one line, and nothing in it can act as Markdown. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(" | ")} |`;
  return [line(head), `|${" --- |".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function cell(text: string): string {
  return oneLine(text, 60).replace(/[\\|*_`~[\]<]/g, "\\$&");
}

/** A code block whose fence is longer than any run of backticks in the text. */
export function codeBlock(text: string, language = ""): string {
  let fence = "```";
  for (const [run] of text.matchAll(/`{3,}/g)) if (run.length >= fence.length) fence = `${run}\``;
  return `${fence}${language}\n${text}\n${fence}`;
}

/** "1 word", "2,000 words". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString("en")} ${count === 1 ? one : many}`;
}
