/** Where the file of a document lies: a new content has a new place, so that the old one is whole until it is not needed. */
export const originalOf = (workspace: string, sourceId: string, documentId: string, sha256: string): string[] => [
  workspace,
  sourceId,
  `${documentId}.${sha256.slice(0, 32)}`,
]
