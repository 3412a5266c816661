/** An image by digest. */
export interface ImageChoice {
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
  /** URI of the repository, without tag and digest; the repository of the live image when absent. */
  readonly repository?: string | undefined;
}

/** What answers requests, as the service names it. */
export interface LiveVersion {
  /** Number of the runtime's version, or name and revision of the task definition. */
  readonly version: string;
  /** URI of the image. */
  readonly image: string;
  /** Absent when the image is named by a tag. */
  readonly digest: string | undefined;
}

/** Where one app runs. Every method throws a `DeployError` that says what to do, or the error of the AWS SDK. */
export interface Platform {
  readonly live: () => Promise<LiveVersion>;
  /** Makes an image live and waits until it is. When that fails, the version that was live stays. */
  readonly deploy: (image: ImageChoice) => Promise<LiveVersion>;
  /** Goes back to the version before the live one. */
  readonly rollback: () => Promise<LiveVersion>;
}

/** `<repository>@sha256:…`, or `<repository>:<tag>`. */
const imageForm = /^(?<repository>[^@]+?)(?::[^:@/]+)?(?:@(?<digest>sha256:[0-9a-f]{64}))?$/;

export const digestOf = (image: string): string | undefined => imageForm.exec(image)?.groups?.["digest"];

/** The URI of an image that is chosen by digest, in the repository of the live image unless another is named. */
export function imageUri({ digest, repository }: ImageChoice, liveImage: string): string {
  return `${repository ?? imageForm.exec(liveImage)?.groups?.["repository"] ?? liveImage}@${digest}`;
}
