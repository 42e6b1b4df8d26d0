/** What is wrong with a statement, for whoever wrote it. */
export class SqlError extends Error {}
