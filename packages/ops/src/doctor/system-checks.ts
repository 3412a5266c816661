import { totalmem } from "node:os";
import { getHeapStatistics } from "node:v8";
import { type ConnectionLimit, type Environment, judgeOpenFiles, openFilesLimit } from "@crosszone/service-kit";
import { type Check, failed, passed, warned } from "./checks.ts";

/** Limits of the operating system and Node for this process. Sizes in bytes. */
export interface SystemLimits {
  /** Maximum number of open files and sockets; absent when unlimited or unknown. */
  readonly openFiles?: number;
  readonly heap: number;
  /** Memory of the machine, or of the container. */
  readonly memory: number;
  readonly tlsVerification: boolean;
}

/** Compares `ulimit -n` with the connections that the configuration allows. */
export function checkOpenFiles(limits: SystemLimits, connections: ConnectionLimit): Check {
  return {
    name: "open files",
    reads: [connections.name],
    run: () => {
      const { says, todo } = judgeOpenFiles(limits.openFiles, connections);
      return todo === undefined ? passed(says) : warned(says, todo);
    },
  };
}

/** Compares Node's heap limit with the available memory, and with the largest messages that can be in memory together. */
export function checkMemory(
  limits: SystemLimits,
  messages: { readonly variables: readonly string[]; readonly bytes: number },
): Check {
  const names = messages.variables.join(" times ");
  return {
    name: "memory",
    reads: messages.variables,
    run: () => {
      const says = `heap up to ${megabytes(limits.heap)} of ${megabytes(limits.memory)} memory`;
      if (limits.heap > limits.memory)
        return failed(
          `${says}: the system would kill the process before Node collects garbage`,
          `Set NODE_OPTIONS=--max-old-space-size=${Math.floor((limits.memory * 0.75) / 1_048_576)}.`,
        );
      if (messages.bytes > limits.heap / 2)
        return warned(
          `${says}; ${names} together can be ${megabytes(messages.bytes)}`,
          `Lower ${names}, or increase the memory of the process.`,
        );
      return passed(says);
    },
  };
}

/** Checks that TLS verification is not disabled for the process. */
export function checkTlsVerification(limits: SystemLimits): Check {
  return {
    name: "certificates",
    run: () =>
      limits.tlsVerification
        ? passed("are verified")
        : failed(
            "are not verified: NODE_TLS_REJECT_UNAUTHORIZED is 0, so every token can be intercepted",
            "Unset it. Set NODE_EXTRA_CA_CERTS to the file of your own certificate authority.",
          ),
  };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;

/** Reads the limits of this process. A zone that is started the same way has the same limits. */
export function readSystemLimits(env: Environment): SystemLimits {
  const openFiles = openFilesLimit();
  const constrained = process.constrainedMemory();
  const total = totalmem();
  return {
    ...(openFiles !== undefined && { openFiles }),
    heap: getHeapStatistics().heap_size_limit,
    // Without a limit of the container it is 0, or a number far beyond the machine.
    memory: constrained > 0 && constrained < total ? constrained : total,
    tlsVerification: env["NODE_TLS_REJECT_UNAUTHORIZED"] !== "0",
  };
}
