/**
 * Calls something once before the next frame, however often it was asked for. `request` is `requestAnimationFrame`: while nobody looks at the
 * page there is no frame, and nothing is drawn.
 */
export function atNextFrame(call: () => void, request: (frame: () => void) => void): () => void {
  let isWaiting = false;
  return () => {
    if (isWaiting) return;
    isWaiting = true;
    request(() => {
      isWaiting = false;
      call();
    });
  };
}
