import { judgeOpenFiles, type ConnectionLimit } from "../open-files.ts";
import { failed, passed, warned, type Check } from "./check.ts";

/** What the operating system and Node allow this process. Sizes in bytes. */
export interface SystemLimits {
  /** Files and sockets that may be open; absent when it is not limited or not known. */
  readonly openFiles?: number;
  readonly heap: number;
  /** Memory of the machine, or of the container. */
  readonly memory: number;
  readonly tlsVerification: boolean;
}

/** `ulimit -n` against the connections that the configuration allows. It hurts only when there are so many. */
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

/** The heap that Node takes against the memory that there is, and against the largest messages that may be in work together. */
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
          `${says}: the system ends the process before Node collects`,
          `Set NODE_OPTIONS=--max-old-space-size=${Math.floor((limits.memory * 0.75) / 1_048_576)}.`,
        );
      if (messages.bytes > limits.heap / 2)
        return warned(
          `${says}; ${names} together can be ${megabytes(messages.bytes)}`,
          `Lower ${names}, or give the process more memory.`,
        );
      return passed(says);
    },
  };
}

/** Whether somebody turned certificates off for the whole process. */
export function checkTlsVerification(limits: SystemLimits): Check {
  return {
    name: "certificates",
    run: () =>
      limits.tlsVerification
        ? passed("are verified")
        : failed(
            "are not verified: NODE_TLS_REJECT_UNAUTHORIZED is 0, so anybody on the way can read every token",
            "Unset it; name the file of your own authority in NODE_EXTRA_CA_CERTS.",
          ),
  };
}

const megabytes = (bytes: number): string => `${Math.round(bytes / 1_048_576)} MB`;
