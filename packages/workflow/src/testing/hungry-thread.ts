import { serveBlocking } from "../threads/blocking-thread.ts";

/** A thread for tests that does what it is asked, such as filling the memory. */
serveBlocking((question: string) => {
  const kept: unknown[] = [];
  if (question === "fill the memory") for (;;) kept.push(Array.from({ length: 1_000 }, () => ({})));
  if (question === "never answer") for (;;);
  if (question === "exit") process.exit();
  return `${question}, said the thread`;
});
