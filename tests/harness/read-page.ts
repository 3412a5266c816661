/** Returns the cells of the first table after a comment such as `<!-- fields: a.json -->`, without its heading. */
export function rowsAfter(markdown: string, comment: string): readonly (readonly string[])[] {
  const [, after = ""] = markdown.split(`<!-- ${comment} -->\n`);
  const [table = ""] = /(?:^\|.*\n)+/m.exec(after) ?? [];
  return table.trim().split("\n").slice(2).map(cellsOf);
}

const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());

/** One code block of a walkthrough. Its info string names what to do: `ts file=a.ts`, `diff file=a.ts`, `sh run` or `sh run=fails`. */
export type WalkthroughStep =
  | { readonly kind: "write" | "change"; readonly path: string; readonly text: string }
  | { readonly kind: "run"; readonly command: string; readonly fails: boolean };

/** Returns the steps in the section of a page with this heading, in order. Throws if there are none. */
export function walkthroughOf(page: string, heading: string): readonly WalkthroughStep[] {
  const [, section = ""] = page.split(`\n## ${heading}\n`);
  const [own = ""] = section.split(/^## /m);
  const steps = [...own.matchAll(/^( *)```(\w+) (\S+)\n([^]*?)^\1```$/gm)].flatMap(
    ([, indent = "", language = "", attribute = "", code = ""]): WalkthroughStep[] => {
      const text = code.replaceAll(new RegExp(`^${indent}`, "gm"), "");
      const [name, value = ""] = attribute.split("=");
      if (name === "file") return [{ kind: language === "diff" ? "change" : "write", path: value, text }];
      if (name !== "run") throw new Error(`"${attribute}" of "${heading}" is not file=… or run`);
      return text
        .trim()
        .split("\n")
        .map((command) => ({ kind: "run", command, fails: value === "fails" }));
    },
  );
  if (steps.length === 0) throw new Error(`The page has no walkthrough "${heading}".`);
  return steps;
}

/**
 * Applies a diff without line numbers: lines that begin with a space, `-` or `+`, and `@@` between changes. Throws unless each change fits
 * in exactly one place.
 */
export function applyDiff(text: string, diff: string): string {
  return diff.split(/^@@.*\n/m).reduce((before, hunk) => {
    const lines = hunk.trimEnd().split("\n");
    const sideOf = (sign: string): string =>
      lines
        .filter((line) => line === "" || line.startsWith(" ") || line.startsWith(sign))
        .map((line) => `${line.slice(1)}\n`)
        .join("");
    const old = `\n${sideOf("-")}`;
    const padded = `\n${before}`;
    const at = padded.indexOf(old);
    if (at < 0) throw new Error(`No place has these lines:${old}`);
    if (padded.includes(old, at + 1)) throw new Error(`More than one place has these lines:${old}`);
    return `${padded.slice(0, at)}\n${sideOf("+")}${padded.slice(at + old.length)}`.slice(1);
  }, text);
}
