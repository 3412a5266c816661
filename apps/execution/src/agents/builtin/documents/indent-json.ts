const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s{}[\],:"]+/g;

/**
 * Valid JSON with two spaces a level. Works on the text, so that numbers beyond the precision of JavaScript stay as
 * they are.
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
