/** Returns the result of an operation, or rejects after `limitMs` milliseconds. The operation itself is not canceled. */
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
