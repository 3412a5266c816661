import { failed, passed, type Check } from "@crosszone/service-kit/doctor";

/** The key ids at a URL; nothing when what is there is no key set. */
export type FetchKeySet = (url: string) => Promise<readonly string[] | undefined>;

/** Whether the issuer's keys can be fetched: without them every token is refused. */
export function checkKeySet(url: string, fetchKeys: FetchKeySet): Check {
  return {
    name: "keys",
    needs: ["keys reachable"],
    run: async () => {
      const ids = await fetchKeys(url);
      if (ids === undefined || ids.length === 0)
        return failed(
          "what is at CALLER_JWT_JWKS_URL is no key set",
          "Take jwks_uri of the issuer's /.well-known/openid-configuration.",
        );
      return passed(`${ids.length} of them`);
    },
  };
}
