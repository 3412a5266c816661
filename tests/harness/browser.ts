/** A page as a browser shows it. */
export interface Shown {
  readonly url: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

export type Browser = ReturnType<typeof startBrowser>;

/** Returns the URL of the first link of a page. */
export function linkOf({ html }: Pick<Shown, "html">): string {
  const href = /<a href="([^"]*)"/.exec(html)?.[1] ?? "";
  return href.replaceAll("&amp;", "&");
}

/** Starts a browser for installs: it keeps the cookies of each host and follows redirects. */
export function startBrowser() {
  const jars = new Map<string, Map<string, string>>();

  async function ask(url: string, init: RequestInit = {}): Promise<Response> {
    const jar = jars.getOrInsertComputed(new URL(url).host, () => new Map());
    const cookie = [...jar].map(([name, value]) => `${name}=${value}`).join("; ");
    const headers = { ...(cookie !== "" && { cookie }) };
    const response = await fetch(url, { ...init, headers, redirect: "manual" });
    for (const line of response.headers.getSetCookie()) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      if (/expires=thu, 01 jan 1970/i.test(line)) jar.delete(name);
      else jar.set(name, value);
    }
    return response;
  }

  async function follow(url: string, response: Response): Promise<Shown> {
    const location = response.headers.get("location");
    if (location !== null) return open(new URL(location, url).href);
    return { url, status: response.status, headers: response.headers, html: await response.text() };
  }

  async function open(url: string): Promise<Shown> {
    return follow(url, await ask(url));
  }

  const send = (page: Shown, fields: Record<string, string>): Promise<Response> =>
    ask(page.url, { method: "POST", body: new URLSearchParams(fields) });

  return {
    open,
    /** Posts the form of a page to the page's URL. */
    submit: async (page: Shown, fields: Record<string, string>) => follow(page.url, await send(page, fields)),
    /** Posts the form like `submit`, but returns the redirect's URL instead of following it. */
    submitAndStop: async (page: Shown, fields: Record<string, string>) =>
      (await send(page, fields)).headers.get("location") ?? "",
  };
}

/** Returns the cells of the first table after a comment such as `<!-- fields: a.json -->`, without its heading. */
export function rowsAfter(markdown: string, comment: string): readonly (readonly string[])[] {
  const [, after = ""] = markdown.split(`<!-- ${comment} -->\n`);
  const [table = ""] = /(?:^\|.*\n)+/m.exec(after) ?? [];
  return table.trim().split("\n").slice(2).map(cellsOf);
}

const cellsOf = (row: string): string[] =>
  row
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
