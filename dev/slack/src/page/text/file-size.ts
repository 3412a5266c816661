/** Returns a number of bytes as `812 B`, `3.4 KB`, `12 MB`. */
export function fileSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  const thousands = Math.min(3, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** thousands;
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ${["B", "KB", "MB", "GB"][thousands]}`;
}
