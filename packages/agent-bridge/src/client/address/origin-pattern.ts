/** Addresses of agents that the operator allows. */
export interface OriginPattern {
  readonly protocol: string;
  readonly hostname: string;
  /** True: every host below `hostname`, but not `hostname` itself. */
  readonly anyHost: boolean;
  /** Empty for the protocol's default port, `*` for any port. */
  readonly port: string;
  /** Any host at a public address is allowed, over HTTPS; `hostname` is empty. */
  readonly isInternet: boolean;
}

const form = /^(?:(https?):\/\/)?(\*\.)?([^/?#@*\s]+?)(:\*)?$/i;

const internet: OriginPattern = { protocol: "https:", hostname: "", anyHost: true, port: "*", isInternet: true };

/**
 * Parses one entry of the list of allowed origins: `https://agents.example.com`, `http://127.0.0.1:8090`, `http://localhost:*` for any port,
 * `*.example.com` or `http://*.agents.svc.cluster.local:8080` for all hosts below a domain, `https://*` for any public address. The scheme
 * defaults to HTTPS. Throws a `TypeError` that says what is wrong with the entry.
 */
export function parseOriginPattern(entry: string): OriginPattern {
  if (entry === "https://*") return internet;
  const [, scheme = "https", star, rest, anyPort] = form.exec(entry.replace(/\/$/, "")) ?? [];
  const url = rest === undefined ? null : URL.parse(`${scheme}://${rest}`);
  if (url === null || url.hostname === "")
    throw new TypeError(
      `"${entry}" is not an origin such as https://agents.example.com, nor a domain such as *.example.com`,
    );
  const anyHost = star !== undefined;
  if (anyHost && !/^[^.:\]]+\..*[a-z]/i.test(url.hostname))
    throw new TypeError(`"${entry}" allows too much: use a domain of at least two parts after the *`);
  if (anyPort !== undefined && /:\d+$/.test(rest ?? ""))
    throw new TypeError(`"${entry}" is not an origin such as http://localhost:*: it has two ports`);
  return { protocol: url.protocol, hostname: url.hostname, anyHost, port: anyPort ? "*" : url.port, isInternet: false };
}

/** Whether the pattern allows a URL. */
export function matchesOrigin({ protocol, hostname, anyHost, port, isInternet }: OriginPattern, url: URL): boolean {
  if (url.protocol !== protocol || (port !== "*" && url.port !== port)) return false;
  if (isInternet) return true;
  return anyHost ? url.hostname.endsWith(`.${hostname}`) : url.hostname === hostname;
}
