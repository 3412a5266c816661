/** The outcome of an operation, or a rejection once that many milliseconds are over; what the operation does then is nobody's matter. */
export async function inTime<T>(operation: Promise<T>, limitMs: number, what: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const tooLate = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} took longer than ${limitMs} ms`)), limitMs);
  });
  try {
    return await Promise.race([operation, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}
