import { isLoopback } from "@crosszone/service-kit";
import { type Check, failed, passed, skipped, warned } from "@crosszone/ops/doctor";
import { Agent, request } from "undici";
import type { ClientTls } from "../../zone-link/credentials/client-certificate.ts";
import { describeZoneFailure, type ZoneCheck } from "./zone-check.ts";

/** Sends a valid request without credentials; returns the HTTP status, or undefined without a response. */
type HttpProbe = (url: string) => Promise<number | undefined>;

/** The doctor's request, which reads nothing sensitive. */
const message = JSON.stringify({ jsonrpc: "2.0", method: "list_agents", params: {}, id: "doctor" });

/**
 * Makes an HTTP probe with a timeout of five seconds. It uses only the authority of the TLS files, because the request must carry no
 * credentials.
 */
export function createHttpProbe(tls: () => ClientTls | undefined): HttpProbe {
  return async (url) => {
    const ca = tls()?.ca;
    const dispatcher = new Agent({ connect: ca === undefined ? {} : { ca } });
    try {
      const { statusCode, body } = await request(url, {
        method: "POST",
        headers: { "content-type": "application/json", accept: "application/json" },
        body: message,
        signal: AbortSignal.timeout(5_000),
        dispatcher,
      });
      await body.dump();
      return statusCode;
    } catch {
      return undefined;
    } finally {
      await dispatcher.destroy();
    }
  };
}

/** Checks that execution rejects requests without credentials. */
export function checkExecutionLocked({
  url,
  probe,
}: {
  readonly url: string;
  readonly probe: HttpProbe;
}): Pick<Check, "run"> {
  return {
    run: async () => {
      const status = await probe(url);
      if (status === undefined) return skipped("it did not respond to a request without credentials");
      if (status === 401 || status === 403) return passed("it rejects a request without credentials");
      if (status !== 200)
        return skipped(`it responds with HTTP ${status} to a request without credentials, which is inconclusive`);
      const todo = "Set EXECUTION_TOKEN in both zones, or CALLER_AUTH in execution and EXECUTION_CREDENTIALS here.";
      return isLoopback(new URL(url).hostname)
        ? warned("it accepts requests without credentials: every process of this machine can run tasks", todo)
        : failed("it accepts requests without credentials from any host", todo);
    },
  };
}

/** Makes a real `list_agents` call, to check that execution accepts this zone and that its response matches the contract. */
export function checkExecutionAnswers(check: Omit<Check, "run" | "name">, { connect, ...way }: ZoneCheck): Check {
  return {
    ...check,
    name: "execution answers",
    run: async () => {
      const zone = await connect();
      try {
        const { agents } = await zone.listAgents();
        if (agents.length === 0) return warned("it accepts this zone, but has no agents", "Add an agent to execution.");
        const names = agents.slice(0, 5).map(({ name }) => name);
        const more = agents.length > names.length ? ` and ${agents.length - names.length} more` : "";
        return passed(`it accepts this zone and its response matches the contract; agents: ${names.join(", ")}${more}`);
      } catch (error) {
        return describeZoneFailure(error, way);
      } finally {
        await zone.close();
      }
    },
  };
}

const calls = 5;
/** A slower round trip is noticeable: a question makes at least two calls. Milliseconds. */
const slowMs = 500;

/** Measures a call that does no work, over an open connection. */
export function checkRoundTrip({ connect, ...way }: ZoneCheck, now: () => number = () => performance.now()): Check {
  return {
    name: "execution round trip",
    needs: ["execution answers"],
    run: async () => {
      const times: number[] = [];
      const zone = await connect();
      try {
        await zone.listAgents();
        for (let call = 0; call < calls; call += 1) {
          const startedAt = now();
          await zone.listAgents();
          times.push(now() - startedAt);
        }
      } catch (error) {
        return describeZoneFailure(error, way);
      } finally {
        await zone.close();
      }
      const [shortest = 0, , median = 0, , longest = 0] = times
        .toSorted((a, b) => a - b)
        .map((ms) => Math.round(ms * 10) / 10);
      const says = `median ${median} ms of ${calls} calls (${shortest} to ${longest})`;
      return median < slowMs
        ? passed(says)
        : warned(says, "Check the network between the zones, and the load of execution.");
    },
  };
}
