/** The result of one check of `parley doctor`. */
export interface Check {
  name: string
  status: 'ok' | 'warn' | 'fail'
  message: string
  /** Advice for the operator. */
  hint?: string
}

export const ok = (name: string, message: string): Check => ({ name, status: 'ok', message })
export const warn = (name: string, message: string, hint: string): Check => ({ name, status: 'warn', message, hint })
export const fail = (name: string, message: string, hint: string): Check => ({ name, status: 'fail', message, hint })
