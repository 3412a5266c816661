import { X509Certificate } from "node:crypto";
import { ConfigError } from "../config-error.ts";
import { daysUntil, renewWithinDays } from "./certificate-end.ts";
import { failed, passed, warned, type Check, type Finding } from "./check.ts";

/** The result of opening files: a summary, and the certificates in them, PEM. */
export interface Opened {
  readonly says: string;
  /** By the variable that names the file. */
  readonly certificates?: Readonly<Record<string, string | undefined>>;
}

/** Checks that files can be read and fit together, as the zone does at its start, and that certificates do not expire soon. */
export function checkOpens(
  check: Omit<Check, "run">,
  open: () => Opened | Promise<Opened>,
  now: () => number = Date.now,
): Check {
  return {
    ...check,
    run: async () => {
      try {
        const { says, certificates = {} } = await open();
        return judged(says, Object.entries(certificates), now());
      } catch (error) {
        if (!(error instanceof ConfigError)) throw error;
        return failed("files can't be used", ...error.problems.map(({ name, wrong }) => `${name} ${wrong}.`));
      }
    },
  };
}

function judged(says: string, certificates: readonly [string, string | undefined][], now: number): Finding {
  const ends = certificates.flatMap(([name, pem]) => {
    if (pem === undefined) return [];
    const { validToDate } = new X509Certificate(pem);
    return [{ name, day: validToDate.toISOString().slice(0, 10), days: daysUntil(validToDate, now) }];
  });
  const over = ends.filter(({ days }) => days < 0).map(({ name, day }) => `${name} expired on ${day}. Renew it.`);
  const soon = ends.filter(({ days }) => days >= 0 && days < renewWithinDays);
  if (over.length > 0) return failed("a certificate has expired", ...over);
  if (soon.length > 0)
    return warned(
      `${says}; a certificate expires soon`,
      ...soon.map(({ name, day }) => `${name} expires on ${day}. Renew it.`),
    );
  return passed([says, ...ends.map(({ name, day }) => `${name} is valid until ${day}`)].join("; "));
}
