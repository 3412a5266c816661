import { newExecutor } from "./new-executor.ts";

/**
 * `node executor-program.ts <url> [<step> [<run>]]`: prints `started`, then advances runs until it is killed. When it makes a call for
 * that step, it kills itself in the middle of the run's turn. It cancels that run, and kills itself once some of the runs in it are canceled.
 */
const [url = "", deadly, canceled] = process.argv.slice(2);

const executor = await newExecutor(url, {
  leaseMs: 1_500,
  intakeOf: (intake) => ({
    ...intake,
    enter: async (call) => {
      if (deadly && call.task.task_id.includes(`.${deadly}.`)) process.kill(process.pid, "SIGKILL");
      return intake.enter(call);
    },
    cancel: async (call, reason) => {
      if (canceled) process.kill(process.pid, "SIGKILL");
      return intake.cancel(call, reason);
    },
  }),
});
if (canceled) await executor.workflows.cancel(canceled);
executor.workflows.start();
process.stdout.write("started\n");
