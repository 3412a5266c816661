/** Returns the CPU time that work takes on this thread, milliseconds: a busy machine makes it wait, and not work more. */
export async function cpuMsOf(work: () => unknown): Promise<number> {
  const before = process.threadCpuUsage();
  await work();
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1_000;
}
