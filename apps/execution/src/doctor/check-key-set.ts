import { failed, passed, type Check } from "@crosszone/service-kit/doctor";

/** Returns the key ids at a URL; undefined when the response is not a key set. */
export type FetchKeySet = (url: string) => Promise<readonly string[] | undefined>;

/** Checks that the issuer's keys can be fetched. Without them the zone rejects every token. */
export function checkKeySet(url: string, fetchKeys: FetchKeySet): Check {
  return {
    name: "keys",
    needs: ["keys reachable"],
    run: async () => {
      const ids = await fetchKeys(url);
      if (ids === undefined || ids.length === 0)
        return failed(
          "the response of CALLER_JWT_JWKS_URL is not a key set",
          "Set it to the jwks_uri in the issuer's /.well-known/openid-configuration.",
        );
      return passed(`${ids.length} keys`);
    },
  };
}
