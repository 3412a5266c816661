/** Number of avatar colours in the style sheet (`avatar-0` … `avatar-7`). */
export const avatarColours = 8;

/** Returns the initials of the first and the last word of a name, e.g. `AL` for `Ada Lovelace`. */
export function initials(name: string): string {
  const letters = name.split(/[\s._-]+/).flatMap((word) => /[\p{L}\p{N}]/u.exec(word)?.[0] ?? []);
  return [letters[0], ...letters.slice(1).slice(-1)].join("").toUpperCase() || "?";
}

/** Returns the colour of an id, the same on every page load: an index below `avatarColours`. */
export function avatarColour(id: string): number {
  const hash = Array.from(id, (letter) => letter.charCodeAt(0)).reduce((sum, code) => (sum * 31 + code) % 65_521, 7);
  return hash % avatarColours;
}
