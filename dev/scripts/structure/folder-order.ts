/** For each `src` folder its folders, from top to bottom. */
export type FolderOrder = Readonly<Record<string, readonly string[]>>;

/**
 * The order of the repository. A file imports from its own folder and from those below. A file right in `src` puts the folders together, so
 * it is above all of them; a file that all may import has a place in the list.
 */
export const folderOrder: FolderOrder = {};
