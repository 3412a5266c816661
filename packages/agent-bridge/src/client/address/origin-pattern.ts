/** Addresses of agents that an operator allows. */
export interface OriginPattern {
  readonly protocol: string;
  readonly hostname: string;
  /** Every host below `hostname` is meant, and not that host itself. */
  readonly anyHost: boolean;
  /** Empty for the port that the protocol has by itself. */
  readonly port: string;
}

const form = /^(?:(https?):\/\/)?(\*\.)?([^/?#@*\s]+)$/i;

/**
 * Reads one entry of the list of allowed origins: `https://agents.example.com`, `http://127.0.0.1:8090`, or, for all hosts below a
 * domain, `*.example.com` or `http://*.agents.svc.cluster.local:8080`. HTTPS when it names no scheme. Throws a `TypeError` that says
 * what is wrong with it.
 */
export function parseOriginPattern(entry: string): OriginPattern {
  const [, scheme = "https", star, rest] = form.exec(entry.replace(/\/$/, "")) ?? [];
  const url = rest === undefined ? null : URL.parse(`${scheme}://${rest}`);
  if (url === null || url.hostname === "")
    throw new TypeError(`"${entry}" is no origin such as https://agents.example.com, nor hosts such as *.example.com`);
  const anyHost = star !== undefined;
  if (anyHost && !/^[^.:\]]+\..*[a-z]/i.test(url.hostname))
    throw new TypeError(`"${entry}" allows too much: name a domain of at least two parts after the *`);
  return { protocol: url.protocol, hostname: url.hostname, anyHost, port: url.port };
}

/** Whether a URL is at one of the places that the pattern allows. */
export function matchesOrigin({ protocol, hostname, anyHost, port }: OriginPattern, url: URL): boolean {
  if (url.protocol !== protocol || url.port !== port) return false;
  return anyHost ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname;
}
