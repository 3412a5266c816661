/** Returns a media type in lower case, without parameters. */
export const bareType = (type: string): string => (type.split(";")[0] ?? "").trim().toLowerCase();

/** Whether a mode, such as `text/plain` or `image/*`, covers a media type. */
export function covers(mode: string, mediaType: string): boolean {
  const [wanted, type] = [bareType(mode), bareType(mediaType)];
  return wanted === type || wanted === "*/*" || (wanted.endsWith("/*") && type.startsWith(wanted.slice(0, -1)));
}

/** Whether an agent accepts a file. `file` and `*` are modes of agents before A2A 0.2.5; `application/octet-stream` is any file. */
export const acceptsFile = (modes: readonly string[], mediaType: string): boolean =>
  modes.some((mode) => ["file", "*", "application/octet-stream"].includes(bareType(mode)) || covers(mode, mediaType));
