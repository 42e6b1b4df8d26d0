/** A fault of a statement, in words for whoever wrote it. */
export class SqlError extends Error {}
