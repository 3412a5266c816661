/** Returns the last segment of a file's name without characters that are unsafe in a path or a message; `fallback` when nothing is left. */
export function fileName(name: string | undefined, fallback: string): string {
  const last = (name ?? "").split(/[\\/]/).at(-1) ?? "";
  // oxlint-disable-next-line no-control-regex -- control characters are removed from names
  const safe = last.replaceAll(/[\x00-\x1f\x7f-\x9f<>:"|?*\u2028-\u202e\u2066-\u2069]+/g, "_").replace(/^\.+/, "");
  return safe.trim().slice(-200).toWellFormed() || fallback;
}
