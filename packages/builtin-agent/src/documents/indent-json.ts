const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Indents valid JSON with two spaces per level. Works on the text, so numbers beyond JavaScript's precision stay
 * unchanged.
 */
export function indentJson(text: string): string {
  const tokens = text.match(TOKEN) ?? [];
  let indented = "";
  let level = 0;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1] ?? "";
    const isEmpty = "{[".includes(token) && "}]".includes(next) && next !== "";
    if ("{[".includes(token)) level += 1;
    if ("}]".includes(next) && next !== "") level -= 1;
    const breaks = !isEmpty && next !== "" && ("{[,".includes(token) || "}]".includes(next));
    indented += `${token}${token === ":" ? " " : ""}${breaks ? `\n${"  ".repeat(level)}` : ""}`;
  }
  return indented;
}
