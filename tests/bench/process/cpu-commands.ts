/** Commands that measure the CPU time of the worker, all its threads and its work in the kernel included. */
export function cpuCommands(): { startCpu: () => void; stopCpu: () => number } {
  let start = process.cpuUsage();
  return {
    startCpu: () => {
      start = process.cpuUsage();
    },
    /** Microseconds since `startCpu`. */
    stopCpu: () => {
      const { user, system } = process.cpuUsage(start);
      return user + system;
    },
  };
}
