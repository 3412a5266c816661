import { exportJWK, generateKeyPair, SignJWT, type JSONWebKeySet, type JWTPayload } from "jose";
import { startTokenService, type TokenService } from "./token-service.ts";

export interface IdentityProvider {
  readonly issuer: string;
  /** Where its public keys are. */
  readonly jwksUrl: string;
  /** The same keys, to be written into a configuration. */
  readonly keys: () => JSONWebKeySet;
  /** How often the keys were fetched. */
  readonly fetched: () => number;
  /** Signs claims with the key that is current. Tokens are good for an hour unless the claims say otherwise. */
  mint(claims: JWTPayload): Promise<string>;
  /** Makes a new key, publishes it with the old ones, and signs with it from now on. */
  rotate(): Promise<void>;
  readonly service: TokenService;
}

interface SigningKey {
  readonly kid: string;
  readonly privateKey: CryptoKey;
  readonly jwk: JSONWebKeySet["keys"][number];
}

/** What signs tokens in a cloud: private keys, and their public halves as a JSON Web Key Set over HTTP. */
export async function startIdentityProvider(issuer: string): Promise<IdentityProvider> {
  const signing: SigningKey[] = [];
  const rotate = async (): Promise<void> => {
    const { publicKey, privateKey } = await generateKeyPair("RS256");
    const kid = `key-${signing.length + 1}`;
    signing.push({ kid, privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: "sig" } });
  };
  await rotate();
  const keys = (): JSONWebKeySet => ({ keys: signing.map(({ jwk }) => jwk) });
  const service = await startTokenService(() => ({ status: 200, body: JSON.stringify(keys()) }));
  return {
    issuer,
    jwksUrl: `${service.url}/certs`,
    keys,
    fetched: () => service.asked.length,
    mint: (claims) => {
      const { kid, privateKey } = signing.at(-1) as SigningKey;
      const now = Math.floor(Date.now() / 1_000);
      return new SignJWT({ iss: issuer, iat: now, exp: now + 3_600, ...claims })
        .setProtectedHeader({ alg: "RS256", kid, typ: "JWT" })
        .sign(privateKey);
    },
    rotate,
    service,
  };
}
