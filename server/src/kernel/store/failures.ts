/** Errors of connections: the statement may succeed later. Errors of Postgres have codes of five characters. */
export function isUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code } = error as { code?: unknown }
  return (typeof code === 'string' && unavailableCode.test(code)) || unavailableMessage.test(error.message)
}

const unavailableCode =
  /^(?:E(?:CONNREFUSED|CONNRESET|PIPE|TIMEDOUT|HOSTUNREACH|NETUNREACH|NOTFOUND|AI_AGAIN)|08\w{3}|57P0[1-3]|57014|25P03|53300)$/
const unavailableMessage =
  /^(?:The database did not respond in time|Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error)/

/** Postgres reports a code. SQLite's errors come from a thread, which passes on only the message. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  return (error as { code?: unknown }).code === '53100' || error.message.includes('database or disk is full')
}
