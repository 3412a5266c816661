/** A text of about so many characters, in lines that each say which they are of whose text. */
export function recite(name: string, characters: number): string {
  const lines: string[] = [];
  for (let length = 0; length < characters; length += (lines.at(-1)?.length ?? 0) + 1)
    lines.push(`${name}, line ${lines.length + 1}: all that was said is said again, and nothing of it twice.`);
  return lines.join("\n");
}
